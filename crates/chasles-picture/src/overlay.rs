//! What lies on top of a still: title, legend, contact markers.

use std::collections::BTreeMap;

use chasles::glam::{DVec2, DVec3};

use crate::camera::{Area, Camera, clipped_segment};
use crate::colour::{Colour, Theme, properness_colour};
use crate::legend::{Key, Legend, Swatch};
use crate::look::Marker;
use crate::size::Size;
use crate::svg::{Anchor, Svg, Type, fitted, num};

/// Lengths in units of [`Size::unit`].
const MARGIN: f64 = 26.0;
const TITLE: f64 = 27.0;
const FONT: f64 = 18.0;
const MARKER_RADIUS: f64 = 6.5;

/// Discs closer than this hide each other, so they are one: a fraction of the radius in the plane
/// of the picture, and a thousandth of the distance in depth.
const SAME_PLACE: f64 = 1.5;
const SAME_DEPTH: f64 = 1e-3;

/// The colour of features that touch: that of no body and of no properness.
const TOUCHING: Colour = Colour::hex(0xc2_18_5b);

/// Rows of the legend: more would leave too little room for the bodies.
const MOST_ROWS: usize = 3;

/// The length of a marker's arrow, as a fraction of half the content's size.
pub(crate) const ARROW: f64 = 0.17;

/// Title and legend of a still, laid out, and the room that they leave.
pub(crate) struct Overlay<'a> {
    size: Size,
    theme: Theme,
    title: &'a str,
    caption: &'a str,
    legend: Legend,
}

impl<'a> Overlay<'a> {
    /// Lays out the title with its caption, and the keys.
    pub(crate) fn new(
        size: Size,
        theme: Theme,
        [title, caption]: [&'a str; 2],
        keys: &[Key],
    ) -> Self {
        let unit = size.unit();
        let width = (f64::from(size.width()) - 2.0 * MARGIN * unit).max(1.0);
        let legend = Legend::new(keys.to_vec(), [width, FONT * unit], theme.ink(), MOST_ROWS);
        Self { size, theme, title, caption, legend }
    }

    /// The key that explains the colours of markers.
    pub(crate) fn properness_key() -> Key {
        Key { swatch: Swatch::Properness, text: "properness, square-root scale".into() }
    }

    /// Where the content goes. If title and legend leave less than a third of the height, they are
    /// drawn over the content instead.
    pub(crate) fn area(&self) -> Area {
        let unit = self.size.unit();
        let [width, height] = [f64::from(self.size.width()), f64::from(self.size.height())];
        let margin = (MARGIN * unit).min(0.1 * width.min(height));
        let above = margin
            + if self.title.is_empty() { 0.0 } else { (MARGIN + TITLE) * unit }
            + if self.caption.is_empty() { 0.0 } else { 1.6 * FONT * unit };
        let below = match self.legend.height() {
            0.0 => margin,
            high => high + 2.0 * margin,
        };
        let [top, bottom] =
            if height - above - below < height / 3.0 { [margin; 2] } else { [above, below] };
        Area { low: DVec2::new(margin, top), high: DVec2::new(width - margin, height - bottom) }
    }

    /// Draws lines, then markers, those that are hidden hollow, then title and legend.
    pub(crate) fn draw(
        &self,
        camera: &Camera,
        (markers, hidden): (&[Marker], &[bool]),
        outlines: &[Vec<DVec3>],
    ) -> Svg {
        let mut svg = Svg::new(self.size);
        for outline in outlines {
            self.draw_outline(&mut svg, camera, outline);
        }
        self.draw_markers(&mut svg, camera, (markers, hidden));
        self.draw_text(&mut svg);
        svg
    }

    /// Draws title and legend.
    pub(crate) fn draw_text(&self, svg: &mut Svg) {
        let unit = self.size.unit();
        let margin = MARGIN * unit;
        self.draw_line(svg, self.title, (TITLE * unit, true), margin + 0.8 * TITLE * unit);
        let below_title = margin + if self.title.is_empty() { 0.0 } else { 1.3 * TITLE * unit };
        let font = FONT * unit;
        self.draw_line(svg, self.caption, (font, false), below_title + 0.8 * font);
        let top = f64::from(self.size.height()) - self.legend.height() - 0.8 * margin;
        self.legend.draw(svg, DVec2::new(margin, top));
    }

    /// A line of text at the left margin, its baseline at `y`; smaller if it would not fit, and
    /// then cut.
    fn draw_line(&self, svg: &mut Svg, text: &str, (font, bold): (f64, bool), y: f64) {
        let margin = MARGIN * self.size.unit();
        if !text.is_empty() {
            let room = f64::from(self.size.width()) - 2.0 * margin;
            let (text, size) = fitted(text, font, bold, room);
            let look = Type { size, bold, anchor: Anchor::Start, colour: self.theme.ink() };
            svg.text(DVec2::new(margin, y), &text, look);
        }
    }

    /// Draws the farthest marker first: all arrows, then all discs, so that no disc is crossed. Of
    /// several discs at one place only that of the highest properness is drawn: the bodies first
    /// met there, and what came later must not hide it.
    fn draw_markers(
        &self,
        svg: &mut Svg,
        camera: &Camera,
        (markers, hidden): (&[Marker], &[bool]),
    ) {
        let mut seen: Vec<(DVec3, &Marker, bool)> =
            markers.iter().zip(hidden).map(|(m, &h)| (camera.point(m.point), m, h)).collect();
        seen.sort_by(|p, q| q.0.z.total_cmp(&p.0.z));
        let arrows = || {
            seen.iter().filter_map(|(point, marker, _)| {
                let tip = *point + camera.direction(marker.normal) * ARROW;
                clipped_segment([*point, tip]).map(|ends| ends.map(|p| camera.pixel(p)))
            })
        };
        for ends in arrows() {
            self.draw_arrow(svg, ends);
        }
        let mut discs = self.discs(camera, &seen);
        // The large ones last, so that nothing lies on them.
        discs.sort_by(|(_, p), (_, q)| p.scale.total_cmp(&q.scale));
        for (at, look) in discs {
            disc(svg, (self.size, self.theme), at, look);
        }
    }

    /// Places and looks of the discs, in the order of `seen`.
    fn discs(&self, camera: &Camera, seen: &[(DVec3, &Marker, bool)]) -> Vec<(DVec2, Disc)> {
        let side = SAME_PLACE * self.size.unit();
        // Pixels and the logarithm of the depth, in units within which places are the same.
        let mut discs: Vec<(DVec3, Disc)> = Vec::with_capacity(seen.len());
        let mut cells: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
        for &(ref point, &Marker { properness, scale, .. }, is_hollow) in seen {
            let look = Disc { properness, scale, is_hollow };
            let Some([place, _]) = clipped_segment([*point; 2]) else { continue };
            let at = (camera.pixel(place) / side).extend(place.z.ln() / SAME_DEPTH);
            let cell = [at.x, at.y].map(|x| x.floor() as i64);
            let near = (-1..=1).flat_map(|i| (-1..=1).map(move |j| [cell[0] + i, cell[1] + j]));
            let mut near = near.filter_map(|cell| cells.get(&cell)).flatten();
            match near.find(|&&disc| discs[disc].0.distance(at) < 1.0) {
                Some(&disc) => discs[disc].1 = discs[disc].1.with(look),
                None => {
                    cells.entry(cell).or_default().push(discs.len());
                    discs.push((at, look));
                }
            }
        }
        discs.into_iter().map(|(at, look)| (at.truncate() * side, look)).collect()
    }

    /// A line with a rim in the page's colour, so that it shows on any body.
    fn draw_outline(&self, svg: &mut Svg, camera: &Camera, points: &[DVec3]) {
        let seen: Vec<DVec3> = points.iter().map(|&point| camera.point(point)).collect();
        let parts = seen.windows(2).filter_map(|ends| clipped_segment([ends[0], ends[1]]));
        let place = |p: DVec3| camera.pixel(p);
        let path: String = parts
            .map(|ends| ends.map(place))
            .map(|[p, q]| format!("M{} {}L{} {}", num(p.x), num(p.y), num(q.x), num(q.y)))
            .collect();
        for (colour, width) in [(self.theme.page(), 6.4), (TOUCHING, 3.4)] {
            let (colour, width) = (colour.to_hex(), num(width * self.size.unit()));
            svg.push(format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
            ));
        }
    }

    /// An arrow in ink with a rim in the page's colour, so that it shows on any body.
    fn draw_arrow(&self, svg: &mut Svg, [from, to]: [DVec2; 2]) {
        let unit = self.size.unit();
        let Some(along) = (to - from).try_normalize() else { return };
        let head = (10.0 * unit).min(0.6 * from.distance(to));
        let [back, side] = [to - along * head, along.perp() * (0.45 * head)];
        let point = |p: DVec2| format!("{} {}", num(p.x), num(p.y));
        let path = format!(
            "M{}L{}M{}L{}L{}Z",
            point(from),
            point(back),
            point(to),
            point(back + side),
            point(back - side)
        );
        for (colour, width) in [(self.theme.page(), 4.6), (self.theme.ink(), 1.9)] {
            let (colour, width) = (colour.to_hex(), num(width * unit));
            svg.push(format!(
                "<path d=\"{path}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
            ));
        }
    }
}

/// How a disc looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    pub(crate) properness: f64,
    /// How large it is: 1 is usual.
    pub(crate) scale: f64,
    /// Whether it is a ring: a body hides what it marks.
    pub(crate) is_hollow: bool,
}

impl Disc {
    /// Of the usual size, seen.
    pub(crate) fn plain(properness: f64) -> Self {
        Self { properness, scale: 1.0, is_hollow: false }
    }

    /// One disc for two at one place.
    fn with(self, other: Self) -> Self {
        Self {
            properness: self.properness.max(other.properness),
            scale: self.scale.max(other.scale),
            is_hollow: self.is_hollow && other.is_hollow,
        }
    }
}

/// Draws a disc in the colour of a properness, with a rim in the page's colour; a hollow one is a
/// ring of that colour around what hides it.
pub(crate) fn disc(svg: &mut Svg, (size, theme): (Size, Theme), at: DVec2, look: Disc) {
    let unit = size.unit();
    let radius = MARKER_RADIUS * look.scale;
    let (x, y) = (num(at.x), num(at.y));
    let [page, ink] = [theme.page(), theme.ink()].map(Colour::to_hex);
    let colour = properness_colour(look.properness).to_hex();
    let mut circle = |radius: f64, fill: &str, stroke: Option<(&str, f64)>| {
        let stroke = stroke.map(|(colour, width)| {
            format!(" stroke=\"{colour}\" stroke-width=\"{}\"", num(width * unit))
        });
        svg.push(format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\"{}/>",
            num(radius * unit),
            stroke.unwrap_or_default()
        ));
    };
    if look.is_hollow {
        let width = 0.9 + 1.4 * look.scale;
        circle(radius - 0.9, "none", Some((&ink, width + 1.6)));
        circle(radius - 0.9, "none", Some((&colour, width)));
    } else {
        circle(radius + 2.2, &page, None);
        circle(radius, &colour, Some((&ink, 1.6)));
    }
}
