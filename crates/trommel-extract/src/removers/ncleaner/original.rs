const ORIGINAL: &[(usize, f64, &str, f64)] = &[
    (1, 0.6, "the plain rain", -62.732259093619),
    (1, 0.6, "Copyright 2007 | Home", -125.705465132334),
    (1, 0.1, "the plain rain", -62.732259093619),
    (1, 0.1, "Copyright 2007 | Home", -125.705465132334),
    (2, 0.6, "the plain rain", -25.925930673225),
    (2, 0.6, "Copyright 2007 | Home", -151.970601963226),
    (2, 0.1, "the plain rain", -19.940047253209),
    (2, 0.1, "Copyright 2007 | Home", -190.580097682201),
    (3, 0.6, "the plain rain", -18.863454968928),
    (3, 0.6, "Copyright 2007 | Home", -171.432793143601),
    (3, 0.1, "the plain rain", -16.228946803895),
    (3, 0.1, "Copyright 2007 | Home", -253.788970804351),
];
