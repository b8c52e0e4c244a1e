// The page is whole without this: it shows what the pointer is at, and the topics under other thresholds.
(function () {
  "use strict";
  for (const figure of document.querySelectorAll("figure")) {
    const readout = figure.querySelector(".readout");
    const show = (event) => {
      const stop = event.target.closest(".stop");
      if (stop) readout.textContent = stop.querySelector("title").textContent;
    };
    figure.addEventListener("pointerover", show);
    figure.addEventListener("click", show);
    // A finger leaves as it taps.
    figure.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") readout.textContent = "";
    });
  }
  for (const line of document.querySelectorAll(".line")) {
    [...line.querySelectorAll("details")].slice(1).forEach((details) => { details.open = false; });
  }
  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const details = target && target.closest("details");
    if (details && !details.open) {
      details.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", unfold);
  unfold();
  const text = (value) => {
    const shown = value.toFixed(3);
    return /^-?0\.000$/.test(shown) ? "0.000" : value > 0 ? "+" + shown : shown;
  };
  const data = JSON.parse(document.getElementById("data").textContent);
  for (const bars of document.querySelectorAll(".bars")) {
    const details = bars.parentElement;
    const readout = details.querySelector(".readout");
    const show = (event) => {
      const bar = event.target.closest("a");
      if (bar) readout.textContent = bar.getAttribute("aria-label");
    };
    bars.addEventListener("pointerover", show);
    bars.addEventListener("focusin", show);
    const line = data && data.lines[bars.dataset.line];
    const measure = Number(bars.dataset.measure);
    if (!line || !line.unfiltered || !line.unfiltered[measure]) continue;
    choice(bars, details, line, measure);
  }

  // A list of thresholds for a chart; the first entry is what the page came with.
  function choice(bars, details, line, measure) {
    const list = bars.querySelector("ol");
    const items = [...list.children];
    const counts = details.querySelector(".counts");
    const first = { counts: counts.textContent, bars: items.map((item) => item.innerHTML) };
    const place = details.querySelector(".threshold");
    const select = document.createElement("select");
    select.setAttribute("aria-label", "threshold");
    select.add(new Option(place.textContent, ""));
    line.points.forEach((point, number) => {
      if (point.scores[measure]) select.add(new Option(point.threshold, String(number)));
    });
    place.replaceChildren(select);
    select.addEventListener("change", () => {
      if (select.value === "") {
        items.forEach((item, number) => { item.innerHTML = first.bars[number]; });
        list.replaceChildren(...items);
        counts.textContent = first.counts;
        return;
      }
      const scores = line.points[Number(select.value)].scores[measure];
      const plain = line.unfiltered[measure];
      const range = Number(bars.dataset.range);
      const tally = { up: 0, same: 0, down: 0 };
      let total = 0;
      const sorted = items.map((item) => {
        const bar = item.firstElementChild;
        const topic = Number(bar.id.split("-")[3]);
        const by = scores[topic] - plain[topic];
        const kind = by > 1e-9 ? "up" : by < -1e-9 ? "down" : "same";
        tally[kind] += 1;
        total += by;
        bar.className = kind;
        bar.style.setProperty("--d", Math.max(-1, Math.min(1, by / range)).toFixed(4));
        const [id, query] = data.topics[topic];
        bar.title = id + " " + query + ": " + scores[topic].toFixed(3) + ", unfiltered " + plain[topic].toFixed(3) + " (" + text(by) + ")";
        bar.setAttribute("aria-label", bar.title);
        return { item, by };
      });
      sorted.sort((a, b) => b.by - a.by);
      list.replaceChildren(...sorted.map((it) => it.item));
      counts.textContent = tally.up + " better, " + tally.same + " equal, " + tally.down + " worse; mean " + text(total / items.length);
    });
  }
})();
