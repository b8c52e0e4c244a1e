//! Addresses to answers; what is checked before, and what every answer carries.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::advice::Advice;
use super::assets::{ASSETS, Asset, DOCUMENTS};
use super::host::is_allowed;
use super::origin::is_foreign;
use super::parameters::Parameters;
use super::problem::{JSON, Problem};
use super::site::Site;
use super::{filter, limits, page, search, sweep, weights};

/// Headers of every answer. The policy allows the page its own files and nothing else: no inline script or style, no other host.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The only address with something that can be ended.
const SWEEP: &str = "/api/sweep";

/// What requests need besides the site.
struct Shared {
    site: Arc<Site>,
    /// Threads that compute.
    threads: Semaphore,
    /// Places for those that compute or wait.
    places: Semaphore,
}

/// The service that answers every request.
pub fn router(site: Site) -> Router {
    let threads = site.options.threads.get();
    let shared = Arc::new(Shared {
        site: Arc::new(site),
        threads: Semaphore::new(threads),
        places: Semaphore::new(threads + limits::WAITING),
    });
    let mut router = Router::new()
        .route("/api/manifest", get(manifest))
        .route("/api/search", get(search_pages))
        .route("/api/filter", get(filter_parts))
        .route("/api/weights", get(weights_panel))
        .route("/api/page", get(page_of_parameter))
        .route("/api/page/{*docid}", get(page_of_path))
        .route(SWEEP, get(sweep_thresholds).delete(stop_sweep));
    for (address, document) in &DOCUMENTS {
        router = router.route(address, get(move || async { file(document) }));
    }
    for asset in ASSETS {
        let address = format!("/assets/{}", asset.name);
        router = router.route(&address, get(move || async { file(asset) }));
    }
    router
        .fallback(nothing_there)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Refuses what is not for us; adds [`HEADERS`].
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&shared, &request) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // What is served may be another index tomorrow.
    let cached = match headers.get(CONTENT_TYPE) == Some(&JSON) {
        true => "no-store",
        false => "no-cache",
    };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cached));
    response
}

fn refusal(shared: &Shared, request: &Request) -> Option<Response> {
    let names = &shared.site.options.host_names;
    let ours = |host: &str| is_allowed(host, names);
    let mut hosts = request.headers().get_all(HOST).iter();
    let (Some(Ok(header)), None) = (hosts.next().map(|it| it.to_str()), hosts.next()) else {
        let error = "a request has one Host header, no more and no less";
        return Some(Problem::bad(error).into_response());
    };
    // An address may also name the host itself, as for a proxy.
    let in_address = request.uri().authority().map(|it| it.as_str());
    if !ours(header) || !in_address.is_none_or(ours) {
        let problem = Problem::new(
            StatusCode::FORBIDDEN,
            "the request is for another host than this server",
        );
        let problem = problem.advice(Advice::OtherHost);
        return Some(problem.advised(shared.site.options.advise).into_response());
    }
    let path = request.uri().path();
    if is_foreign(request.headers(), header, path) {
        let problem = Problem::new(
            StatusCode::FORBIDDEN,
            "the request was started by the page of another site",
        );
        let hint = "from elsewhere links lead to the pages /, /page and /sweep alone";
        return Some(problem.hint(hint).into_response());
    }
    let allowed = match path {
        SWEEP => "GET, HEAD, DELETE",
        _ => "GET, HEAD",
    };
    if !allowed
        .split(", ")
        .any(|method| method == request.method().as_str())
    {
        let error = format!("{}: here there is only {allowed}", request.method());
        let mut response = Problem::new(StatusCode::METHOD_NOT_ALLOWED, error).into_response();
        let headers = response.headers_mut();
        headers.insert(ALLOW, HeaderValue::from_static(allowed));
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        return Some(response);
    }
    if !request.body().is_end_stream() {
        let error = "a request has no body here";
        let mut response = Problem::new(StatusCode::PAYLOAD_TOO_LARGE, error).into_response();
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
        return Some(response);
    }
    None
}

async fn nothing_there(uri: Uri) -> Problem {
    Problem::not_found(format!("there is nothing at {}", uri.path()))
}

fn file(asset: &'static Asset) -> Response {
    answer(
        asset.media_type(),
        Bytes::from_static(asset.content.as_bytes()),
    )
}

fn answer(media_type: &'static str, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    let media_type = HeaderValue::from_static(media_type);
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}

fn json(value: &impl Serialize) -> Result<Response, Problem> {
    Ok(answer(
        "application/json",
        serde_json::to_vec(value)?.into(),
    ))
}

async fn manifest(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    parameters(&uri)?.finish()?;
    Ok(answer("application/json", shared.site.manifest.clone()))
}

async fn search_pages(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    let parameters = parameters(&uri)?;
    compute(&shared, |site| json(&search::search(site, parameters)?)).await
}

async fn filter_parts(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    let parameters = parameters(&uri)?;
    compute(&shared, |site| json(&filter::filter(site, parameters)?)).await
}

async fn weights_panel(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    let parameters = parameters(&uri)?;
    compute(&shared, |site| json(&weights::weights(site, parameters)?)).await
}

async fn page_of_parameter(shared: State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    page_of_path(shared, Ok(Path(String::new())), uri).await
}

async fn page_of_path(
    State(shared): State<Arc<Shared>>,
    docid: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Response, Problem> {
    let Path(docid) = docid.map_err(|_| {
        Problem::bad("docid: what the path has is no UTF-8")
            .hint("docids are percent-encoded UTF-8")
    })?;
    let parameters = parameters(&uri)?;
    compute(&shared, move |site| {
        json(&page::page(site, &docid, parameters)?)
    })
    .await
}

async fn sweep_thresholds(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Problem> {
    let parameters = parameters(&uri)?;
    compute(&shared, |site| match sweep::ask(site, parameters)? {
        sweep::Answer::Done(body) => Ok(answer("application/json", body)),
        sweep::Answer::Running(running) => {
            let mut response = json(&running)?;
            *response.status_mut() = StatusCode::ACCEPTED;
            Ok(response)
        }
    })
    .await
}

async fn stop_sweep(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    let stopped = sweep::stop(&shared.site, parameters(&uri)?);
    json(&stopped.map_err(|problem| problem.advised(shared.site.options.advise))?)
}

fn parameters(uri: &Uri) -> Result<Parameters, Problem> {
    Parameters::read(uri.query().unwrap_or(""))
}

/// Computes an answer on a thread of its own kind, when one is free. A request that is given up while it waits costs nothing.
async fn compute(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Arc<Site>) -> Result<Response, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let _place = shared.places.try_acquire().map_err(|_| Problem::busy())?;
    let thread = timeout(limits::WAIT, shared.threads.acquire()).await;
    let Ok(Ok(_thread)) = thread else {
        return Err(Problem::busy());
    };
    let site = Arc::clone(&shared.site);
    let done = tokio::task::spawn_blocking(move || work(&site)).await;
    let done = done.unwrap_or_else(|_| {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Err(Problem::new(status, "the answer could not be computed"))
    });
    done.map_err(|problem| problem.advised(shared.site.options.advise))
}
