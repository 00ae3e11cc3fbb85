//! Pictures show what is there: claims about pixels and shapes, and a gallery to look at.
//!
//! The gallery is written to `tmp/pictures/` in the build folder.

use std::f64::consts::TAU;
use std::path::Path;

use chasles::glam::{DQuat, DVec3};
use chasles::{Polygons, Polyhedron, Pose, Screw};
use chasles_picture::{
    Axis, Colour, Image, Look, PictureError, Plot, Size, Still, Style, Theme, View, palette,
};

const WHITE: Colour = Colour::hex(0xff_ff_ff);

fn mesh(polygons: &Polygons) -> Polyhedron {
    Polyhedron::new(polygons).unwrap()
}

/// A cube of side 2 about the origin.
fn cube() -> Polyhedron {
    let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let corners = (0..8).map(|i| DVec3::new(side(i), side(i >> 1), side(i >> 2)));
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    mesh(&Polygons::new(corners, faces))
}

/// A torus of quads around the y axis.
fn torus(major: f64, minor: f64, [around, across]: [u32; 2]) -> Polyhedron {
    let corner = |i: u32, j: u32| {
        let (u, v) =
            (TAU * f64::from(i) / f64::from(around), TAU * f64::from(j) / f64::from(across));
        let radius = major + minor * v.cos();
        DVec3::new(radius * u.cos(), minor * v.sin(), -radius * u.sin())
    };
    let number = |i: u32, j: u32| (i % around) * across + j % across;
    let all = || (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    let quad = |(i, j)| [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| number(i, j));
    mesh(&Polygons::new(all().map(|(i, j)| corner(i, j)), all().map(quad)))
}

/// The letter U, 4 high, standing in the plane z = 0: one concave polygon.
fn letter_u() -> Polyhedron {
    let outline =
        [(-2., -2.), (2., -2.), (2., 2.), (1., 2.), (1., -1.), (-1., -1.), (-1., 2.), (-2., 2.)];
    let corners = outline.map(|(x, y)| DVec3::new(x, y, 0.0));
    mesh(&Polygons::new(corners, [(0..8).collect::<Vec<u32>>()]))
}

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).unwrap()
}

fn from_front() -> View {
    View { towards_eye: DVec3::Z, ..View::default() }
}

fn plain(index: usize) -> Look {
    Look { edges: false, ..Look::of(index) }
}

/// How far apart two colours are in hue: 0 for shades of one colour.
fn hue_distance(p: Colour, q: Colour) -> f64 {
    let direction = |c: Colour| {
        let c = DVec3::new(c.r.into(), c.g.into(), c.b.into());
        (c - DVec3::splat(c.min_element())).normalize_or_zero()
    };
    direction(p).distance(direction(q))
}

/// Puts a picture where it can be looked at.
fn keep(name: &str, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
}

#[test]
fn a_cube_seen_from_the_front_is_a_square_of_its_colour() {
    let cube = cube();
    let mut still = Still::new(size(200, 200));
    still.view(from_front()).body(&cube, &Pose::IDENTITY, plain(0));
    let image = still.render();
    let inside = |x: u32, y: u32| image.pixel(x, y).unwrap() != WHITE;
    let margin = (0..200).find(|&x| inside(x, 100)).unwrap();
    for y in 0..200 {
        for x in 0..200 {
            let within =
                (margin + 1..199 - margin).contains(&x) && (margin + 1..199 - margin).contains(&y);
            let outside = x < margin || y < margin || x >= 200 - margin || y >= 200 - margin;
            assert!(!within || inside(x, y), "hole at {x} {y}");
            assert!(!outside || !inside(x, y), "stain at {x} {y}");
        }
    }
    assert!(margin < 30, "the cube fills the picture: {margin}");
    assert!(hue_distance(image.pixel(100, 100).unwrap(), palette(0)) < 0.1);
}

#[test]
fn a_hidden_body_is_hidden_whatever_the_order() {
    let cube = cube();
    let front = Pose::from_position([0.0, 0.0, 3.0]).unwrap();
    for swapped in [false, true] {
        let mut still = Still::new(size(120, 120));
        still.view(from_front());
        let mut bodies = [(front, plain(0)), (Pose::IDENTITY, plain(1))];
        if swapped {
            bodies.reverse();
        }
        for (pose, look) in bodies {
            still.body(&cube, &pose, look);
        }
        let image = still.render();
        let colours = image.rgba().chunks_exact(4).map(|p| Colour { r: p[0], g: p[1], b: p[2] });
        let hidden = colours.filter(|&c| c != WHITE && hue_distance(c, palette(1)) < 0.2).count();
        assert_eq!(hidden, 0);
    }
}

#[test]
fn a_concave_polygon_is_filled_to_its_outline() {
    let letter = letter_u();
    let mut still = Still::new(size(100, 100));
    still.view(from_front()).body(&letter, &Pose::IDENTITY, plain(2));
    let image = still.render();
    assert_eq!(image.pixel(50, 30), Some(WHITE), "between the arms");
    for (x, y) in [(20, 30), (80, 30), (50, 82)] {
        assert!(hue_distance(image.pixel(x, y).unwrap(), palette(2)) < 0.1, "{x} {y}");
    }
}

#[test]
fn edges_in_front_are_drawn_and_edges_behind_are_not() {
    let cube = cube();
    let darkest = |look: Look, x: u32| {
        let mut still = Still::new(size(200, 200));
        still.view(from_front()).body(&cube, &Pose::IDENTITY, look);
        let image = still.render();
        let sum = |c: Colour| u32::from(c.r) + u32::from(c.g) + u32::from(c.b);
        (0..x).map(|x| sum(image.pixel(x, 100).unwrap())).min().unwrap()
    };
    assert!(darkest(Look::of(0), 100) + 20 < darkest(plain(0), 100), "the left edge shows");
    let mut still = Still::new(size(200, 200));
    still.view(from_front()).body(&cube, &Pose::IDENTITY, Look::of(0));
    let image = still.render();
    let middle = image.pixel(100, 100).unwrap();
    assert!((40..160).all(|x| image.pixel(x, 100) == Some(middle)), "the back edges do not");
}

#[test]
fn a_translucent_body_shows_what_is_behind() {
    let cube = cube();
    let front = Pose::from_position([0.0, 0.0, 3.0]).unwrap();
    let mut still = Still::new(size(120, 120));
    still.view(from_front()).body(&cube, &Pose::IDENTITY, plain(1));
    still.body(&cube, &front, plain(0).ghost());
    let seen = still.render().pixel(60, 60).unwrap();
    assert!(hue_distance(seen, palette(1)) < 0.5 && seen != palette(1), "{seen:?}");
}

#[test]
fn markers_lie_on_top_and_bring_their_legend() {
    let cube = cube();
    let mut still = Still::new(size(300, 300));
    still.view(from_front()).body(&cube, &Pose::IDENTITY, plain(0));
    let without = still.to_svg();
    still.marker(DVec3::ZERO, DVec3::ZERO, 1.0);
    let with = still.to_svg();
    assert!(
        !without.contains("properness") && with.contains(">properness, square-root scale</text>")
    );
    let green = chasles_picture::properness_colour(1.0);
    let image = still.render();
    let found = image.rgba().chunks_exact(4).any(|p| p[..3] == [green.r, green.g, green.b]);
    assert!(found, "the marker inside the cube shows");
}

#[test]
fn the_most_proper_contact_of_a_place_is_seen() {
    let cube = cube();
    let shades = [0.0, -1.0, 0.3].map(chasles_picture::properness_colour);
    // A thousand ulps away is the same place.
    let near = DVec3::ONE * (1.0 + 1e-13);
    for order in [[0.0, -1.0], [-1.0, 0.0]] {
        let mut still = Still::new(size(300, 300));
        still.body(&cube, &Pose::IDENTITY, plain(0));
        still.marker(DVec3::ONE, DVec3::ZERO, order[0]).marker(near, DVec3::ZERO, order[1]);
        still.marker(-DVec3::ONE, DVec3::ZERO, 0.3);
        let svg = still.to_svg();
        let discs = shades.map(|c| svg.matches(&format!("fill=\"{}\" stroke", c.to_hex())).count());
        assert_eq!(discs, [1, 0, 0], "{order:?}");
        // The other side of the cube is hidden, so its disc is hollow.
        let hollow = shades
            .map(|c| svg.matches(&format!("fill=\"none\" stroke=\"{}\"", c.to_hex())).count());
        assert_eq!(hollow, [0, 0, 1], "{order:?}");
    }
}

#[test]
fn each_series_is_one_group_and_text_is_escaped() {
    let mut plot = Plot::new(size(600, 400), Axis::linear("a & b"), Axis::log("<time>"));
    for i in 0..9 {
        plot.series(&format!("s{i}"), Style::LineAndDots, &[[0.0, 1.0], [1.0, f64::from(i + 2)]]);
    }
    let svg = plot.to_svg();
    assert_eq!(svg.matches("class=\"series\"").count(), 9);
    assert!(svg.contains("a &amp; b") && svg.contains("&lt;time&gt;"));
    assert_eq!(svg.matches("<svg").count(), 1);
}

#[test]
fn points_without_a_place_break_the_line() {
    let mut plot = Plot::new(size(600, 400), Axis::linear(""), Axis::log(""));
    plot.series(
        "",
        Style::Line,
        &[[0., 1.], [1., 2.], [2., -1.], [f64::NAN, 1.], [3., 4.], [4., 5.]],
    );
    let svg = plot.to_svg();
    let group = svg.split("class=\"series\"").nth(1).unwrap();
    let path = group.split("<path d=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 2), "{path}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let tori = Tori::new();
    let [first, second] =
        [0, 1].map(|_| tori.still(size(300, 200), Theme::Light).render().to_png());
    assert!(first == second);
    assert!(
        tori.still(size(90, 60), Theme::Dark).to_svg()
            == tori.still(size(90, 60), Theme::Dark).to_svg()
    );
}

#[test]
fn awkward_scenes_make_pictures() {
    let _ = Still::new(size(1, 1)).title("a title").body_key(WHITE, "a key").render();
    let _ = Still::new(size(64, 48)).render();
    let place = |s: f64| DVec3::new(s, -s, s);
    for scale in [0.0, 1e-308, 1.0, 1e99, 1e308, f64::NAN, f64::INFINITY] {
        let mut still = Still::new(size(64, 48));
        still.curve(&[place(scale), place(-scale), DVec3::NAN], WHITE, scale);
        still.marker(place(scale), DVec3::ONE, scale);
        still.marker(DVec3::ZERO, place(scale), f64::NAN);
        still.view(View { towards_eye: place(scale), up: place(scale), field_of_view: scale });
        let _ = still.render();
    }
    let huge =
        mesh(&Polygons::new([[1e99, 0., 0.], [0., 1e99, 0.], [-1e99, -1e99, 9.]], [[0, 1, 2]]));
    let point = mesh(&Polygons { vertices: vec![DVec3::ONE], ..Polygons::default() });
    for framed in [true, false] {
        let mut still = Still::new(size(64, 48));
        still.body(&huge, &Pose::IDENTITY, Look { framed, ..Look::of(0) });
        still.body(&point, &Pose::IDENTITY, Look { opacity: f64::NAN, ..Look::of(1) });
        still.body(&point, &Pose::IDENTITY, Look::of(1));
        let _ = still.render();
    }
}

#[test]
fn awkward_plots_make_pictures() {
    let values = [0.0, 1.0, -1e308, 1e308, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let points: Vec<[f64; 2]> = values.iter().flat_map(|&x| values.map(|y| [x, y])).collect();
    let range = Some([1e-3, 2e-3]);
    for axis in [Axis::linear("x"), Axis::log("x"), Axis { range, ..Axis::linear("") }] {
        for (width, height) in [(1, 1), (1, 200), (200, 1), (120, 90)] {
            let mut plot = Plot::new(size(width, height), axis.clone(), axis.clone());
            let _ = plot.render();
            plot.title(&"long ".repeat(500)).series(&"name ".repeat(500), Style::Line, &points);
            plot.series("", Style::Dots, &points).series("none", Style::LineAndDots, &[]);
            let _ = plot.render();
        }
    }
}

#[test]
fn a_floor_that_is_not_framed_reaches_behind_the_camera() {
    let cube = cube();
    let far = 1e3;
    let corners = [[-far, -1., far], [far, -1., far], [far, -1., -far], [-far, -1., -far]];
    let floor = mesh(&Polygons::new(corners, [[0, 1, 2, 3]]));
    let mut still = Still::new(size(240, 160));
    still.body(&cube, &Pose::IDENTITY, Look::of(0));
    still.body(&floor, &Pose::IDENTITY, Look { framed: false, ..Look::of(6) });
    let image = still.render();
    keep("floor.png", &image.to_png());
    assert!(hue_distance(image.pixel(120, 158).unwrap(), palette(6)) < 0.2);
    assert!(hue_distance(image.pixel(120, 80).unwrap(), palette(0)) < 0.2);
}

#[test]
fn sizes_outside_the_limits_are_refused() {
    assert_eq!(Size::new(0, 5), Err(PictureError::Size { width: 0, height: 5 }));
    assert!(Size::new(u32::MAX, u32::MAX).unwrap_err().to_string().contains("1 to 8192 pixels"));
}

/// Two tori, the second coming in along a screw.
struct Tori {
    torus: Polyhedron,
    resting: Pose,
    start: Pose,
    end: Pose,
    path: Screw,
}

impl Tori {
    fn new() -> Self {
        let start = Pose::new([2.6, 1.5, 0.3], DQuat::from_axis_angle(DVec3::X, 0.4)).unwrap();
        let end = Pose::new([0.9, 0.12, 0.1], DQuat::from_axis_angle(DVec3::X, 1.55)).unwrap();
        let path = Screw::between(&start, &end);
        let torus = torus(1.0, 0.4, [20, 15]);
        Self { torus, resting: Pose::IDENTITY, start, end, path }
    }

    fn still(&self, size: Size, theme: Theme) -> Still<'_> {
        let mut still = Still::new(size);
        still.theme(theme).title("Two tori: contacts of one step");
        still.body(&self.torus, &self.resting, Look::of(0));
        still.body(&self.torus, &self.end, Look::of(1));
        still.body(&self.torus, &self.start, Look::of(1).ghost());
        let flow = palette(3);
        for vertex in (0..300).step_by(15 * 2) {
            let from = self.start.point(self.torus.position(vertex));
            let points: Vec<DVec3> =
                (0..=40).map(|i| self.path.pose_at(f64::from(i) / 40.0).point(from)).collect();
            still.curve(&points, flow, 2.2);
        }
        still.body_key(palette(0), "torus A").body_key(palette(1), "torus B, faint at the start");
        still.curve_key(flow, "paths of its corners");
        for (u, v, properness) in
            [(0.2, 1.1, 0.8), (0.75, 0.9, 0.12), (5.9, 0.6, -0.05), (5.5, 1.0, -0.7)]
        {
            let normal =
                DVec3::new(f64::cos(v) * f64::cos(u), f64::sin(v), -f64::cos(v) * f64::sin(u));
            let ring = DVec3::new(f64::cos(u), 0.0, -f64::sin(u));
            still.marker(ring + normal * 0.4, normal, properness);
        }
        still
    }
}

/// Which part of a picture has shades of a colour.
fn share(image: &Image, colour: Colour) -> f64 {
    let shades = image.rgba().chunks_exact(4).filter(|p| {
        let c = Colour { r: p[0], g: p[1], b: p[2] };
        let greyest = p[..3].iter().max() == p[..3].iter().min();
        !greyest && hue_distance(c, colour) < 0.1
    });
    shades.count() as f64 / (image.rgba().len() / 4) as f64
}

#[test]
fn gallery_of_stills() {
    let tori = Tori::new();
    for (name, theme) in [("tori", Theme::Light), ("tori-dark", Theme::Dark)] {
        let still = tori.still(size(1200, 800), theme);
        let (image, svg) = (still.render(), still.to_svg());
        keep(&format!("{name}.png"), &image.to_png());
        keep(&format!("{name}.svg"), svg.as_bytes());
        let shares = [0, 1].map(|body| share(&image, palette(body)));
        assert!(shares.iter().all(|share| (0.05..0.5).contains(share)), "{name}: {shares:?}");
        assert_eq!(image.pixel(2, 2), Some(theme.page()), "{name}");
        // Four discs, each with its rim; the title and three keys.
        assert_eq!(svg.matches("<circle").count(), 8, "{name}");
        for text in ["Two tori: contacts of one step", "torus A", "paths of its corners"] {
            assert!(svg.contains(&format!(">{text}</text>")), "{name}: {text}");
        }
    }
    keep("tori-small.png", &tori.still(size(360, 240), Theme::Light).render().to_png());
    let (cube, letter) = (cube(), letter_u());
    let mut still = Still::new(size(900, 600));
    still.body(&cube, &Pose::IDENTITY, Look::of(2));
    still.body(&letter, &Pose::from_position([4.0, 0.5, 0.0]).unwrap(), Look::of(4));
    still.body(&cube, &Pose::from_position([-4.0, 1.0, 0.0]).unwrap(), Look::of(5));
    still.curve(&[DVec3::new(-6.0, 0.0, 0.0), DVec3::new(6.5, 0.0, 0.0)], palette(3), 3.0);
    let image = still.render();
    keep("cubes.png", &image.to_png());
    for body in [2, 4, 5] {
        assert!(share(&image, palette(body)) > 0.01, "body {body} is not seen");
    }
}

#[test]
fn gallery_of_plots() {
    let cost = |a: f64, b: f64| -> Vec<[f64; 2]> {
        (1..=13).map(|i| f64::powi(2.0, i + 2)).map(|n| [n, a * n.powf(b)]).collect()
    };
    let mut plot =
        Plot::new(size(1000, 700), Axis::log("faces per body"), Axis::log("time of a query (s)"));
    plot.title("Cost of all contacts of a step");
    plot.series("exact", Style::LineAndDots, &cost(4e-7, 1.1));
    plot.series("screen, 4 pixels an edge", Style::LineAndDots, &cost(9e-6, 0.7));
    plot.series("every pair of features", Style::Line, &cost(3e-8, 2.0));
    keep("cost.png", &plot.render().to_png());
    let svg = plot.to_svg();
    keep("cost.svg", svg.as_bytes());
    assert_eq!(svg.matches("class=\"series\"").count(), 3);
    for text in ["faces per body", "time of a query (s)", "exact", "every pair of features"] {
        assert!(svg.contains(&format!(">{text}</text>")), "{text}");
    }
    let wave = |k: f64| -> Vec<[f64; 2]> {
        (0..200)
            .map(|i| f64::from(i) / 200.0)
            .map(|t| [t, 1e-3 * (k * TAU * t).sin() * (1.0 - t)])
            .collect()
    };
    let [time, gap] = ["time (fraction of the step)", "gap (m)"].map(Axis::linear);
    let mut plot = Plot::new(size(1000, 600), time, gap);
    plot.theme(Theme::Dark).title("Gap of nine pairs of features");
    for i in 0..9 {
        plot.series(&format!("pair {i}"), Style::Line, &wave(0.5 + 0.25 * f64::from(i)));
    }
    plot.series("contacts", Style::Dots, &[[0.5, 0.0], [0.25, 0.0], [0.75, 0.0]]);
    let image = plot.render();
    keep("gap.png", &image.to_png());
    assert_eq!(image.pixel(2, 2), Some(Theme::Dark.page()));
    assert!((0..7).all(|series| share(&image, palette(series)) > 1e-3), "every series is seen");
    let mut small = Plot::new(size(320, 220), Axis::linear("x"), Axis::log("y"));
    small.series("few values", Style::Dots, &[[0.0, 2.0], [1.0, 5.0], [2.0, 7.0]]);
    keep("small-plot.png", &small.render().to_png());
}

/// Where the texts of a picture stand: their baselines and sizes.
fn texts(svg: &str) -> Vec<(f64, f64, &str)> {
    let number = |text: &str, key: &str| -> f64 {
        let value = text.split(&format!("{key}=\"")).nth(1).expect("the attribute is there");
        value.split('"').next().and_then(|v| v.parse().ok()).expect("a number")
    };
    let text = |part: &'_ str| -> usize { part.find('>').expect("a tag ends") };
    svg.split("<text ")
        .skip(1)
        .map(|part| (number(part, " y"), number(part, "font-size"), &part[text(part) + 1..]))
        .collect()
}

#[test]
fn many_bodies_and_long_titles_leave_room_for_the_picture() {
    let cube = cube();
    let mut still = Still::new(size(1200, 800));
    still.title(&"a very long title ".repeat(30)).caption("a caption");
    for i in 0..120 {
        still.body(&cube, &Pose::IDENTITY, Look::of(i));
        still.body_key(palette(i), &format!("a rather long name {i}"));
    }
    still.marker(DVec3::ONE, DVec3::X, 0.5);
    let svg = still.to_svg();
    assert!(svg.contains("… and ") && svg.contains(">properness"), "the rest is counted");
    for (y, size, text) in texts(&svg) {
        assert!(size > 10.0, "{size} px: {text:.40}");
        assert!(!(100.0..600.0).contains(&y), "over the bodies at {y}: {text:.40}");
        assert!((0.0..800.0).contains(&y), "off the page at {y}: {text:.40}");
    }
}
