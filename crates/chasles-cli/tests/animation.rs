//! Animated pictures: as many frames as asked for, of what moves, and clear words about wrong uses.

mod common;

use std::fs::{self, File};
use std::io::BufReader;

use common::{CUBES, Folder};

/// The frames of a GIF, each whole.
fn gif_frames(folder: &Folder, name: &str) -> Vec<Vec<u8>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let file = File::open(folder.path().join(name)).expect("just written");
    let mut reader = options.read_info(BufReader::new(file)).expect("a GIF");
    let width = usize::from(reader.width());
    let mut page = vec![0; 4 * width * usize::from(reader.height())];
    let mut frames = Vec::new();
    while let Some(frame) = reader.read_next_frame().expect("a whole GIF") {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let wide = usize::from(frame.width);
        for (i, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, p)| p[3] != 0) {
            let at = 4 * ((top + i / wide) * width + left + i % wide);
            page[at..at + 4].copy_from_slice(pixel);
        }
        frames.push(page.clone());
    }
    frames
}

/// The frames of an APNG, each whole.
fn apng_frames(folder: &Folder, name: &str) -> Vec<Vec<u8>> {
    let file = File::open(folder.path().join(name)).expect("just written");
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().expect("a PNG");
    let width = reader.info().width as usize;
    let mut page = vec![0; 4 * width * reader.info().height as usize];
    let mut frames = Vec::new();
    for _ in 0..reader.info().animation_control().expect("an animation").num_frames {
        let mut piece = vec![0; reader.output_buffer_size().expect("it fits")];
        let info = reader.next_frame(&mut piece).expect("a frame");
        let control = *reader.info().frame_control().expect("a frame has a place");
        let wide = info.width as usize;
        let pixels = piece.chunks_exact(4).take(wide * info.height as usize).enumerate();
        for (i, pixel) in pixels.filter(|(_, p)| p[3] != 0) {
            let [x, y] =
                [control.x_offset as usize + i % wide, control.y_offset as usize + i / wide];
            page[4 * (y * width + x)..][..4].copy_from_slice(pixel);
        }
        frames.push(page.clone());
    }
    frames
}

/// The share of pixels whose colours differ by what one sees.
fn difference(p: &[u8], q: &[u8]) -> f64 {
    let pixels = p.chunks_exact(4).zip(q.chunks_exact(4));
    let differ = |(p, q): &(&[u8], &[u8])| p.iter().zip(*q).any(|(p, q)| p.abs_diff(*q) > 24);
    pixels.filter(differ).count() as f64 / (p.len() / 4) as f64
}

#[test]
fn both_formats_show_the_same_step() {
    let folder = Folder::new("animation-formats");
    folder.write("a.toml", CUBES);
    for name in ["a.gif", "a.apng"] {
        let more = ["--frames", "5", "--size", "240x160", "--quiet"];
        let run = folder.run(&[&["collide", "a.toml", "--picture", name], &more[..]].concat());
        assert_eq!((run.status, run.err.as_str()), (0, ""));
    }
    let [gif, apng] = [gif_frames(&folder, "a.gif"), apng_frames(&folder, "a.apng")];
    assert_eq!((gif.len(), apng.len(), gif[0].len()), (5, 5, 4 * 240 * 160));
    for (gif, apng) in gif.iter().zip(&apng) {
        assert!(difference(gif, apng) < 0.01, "{}", difference(gif, apng));
    }
    for two in apng.windows(2) {
        let moved = difference(&two[0], &two[1]);
        assert!((0.01..0.5).contains(&moved), "the body moves, and the view does not: {moved}");
    }
}

/// How long each frame of a GIF is shown, in hundredths of a second.
fn delays(folder: &Folder, name: &str) -> Vec<u16> {
    let file = File::open(folder.path().join(name)).expect("just written");
    let mut reader = gif::DecodeOptions::new().read_info(BufReader::new(file)).expect("a GIF");
    let mut delays = Vec::new();
    while let Some(frame) = reader.read_next_frame().expect("a whole GIF") {
        delays.push(frame.delay);
    }
    delays
}

/// One sees the first contact: the frame at its time stays, as the last one does.
#[test]
fn an_animation_holds_at_the_first_contact() {
    let folder = Folder::new("animation-held");
    let more = ["--frames", "21", "--size", "120x80", "--quiet"];
    let run = folder.run(&[&["collide", "cubes", "--picture", "a.gif"], &more[..]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let delays = delays(&folder, "a.gif");
    let held: Vec<usize> = (0..21).filter(|&i| delays[i] >= 100).collect();
    assert_eq!(held, [9, 20], "the contact is at 0.454: {delays:?}");
}

/// A run of a fifth of a second would be over before anyone looks.
#[test]
fn a_short_simulation_is_slow_enough_to_be_seen() {
    let folder = Folder::new("animation-slow");
    let more = ["--seconds", "0.2", "--size", "120x80", "--quiet"];
    let drawn = ["simulate", "simulate-cars", "--picture", "a.gif"];
    let run = folder.run(&[&drawn, &more[..]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let delays = delays(&folder, "a.gif");
    let moving: u16 = delays.iter().map(|delay| delay % 100).sum();
    assert!(moving >= 150, "it moves for {moving} hundredths of a second: {delays:?}");
    assert_eq!(delays.iter().filter(|delay| **delay >= 100).count(), 2, "{delays:?}");
    let fast = [&drawn, &more[..], &["--fps", "20"]].concat();
    assert_eq!(folder.run(&fast).status, 0);
    let delays = self::delays(&folder, "a.gif");
    assert!(delays.iter().map(|delay| delay % 100).sum::<u16>() < 40, "{delays:?}");
}

#[test]
fn a_simulation_is_shown_in_real_time() {
    let folder = Folder::new("animation-simulation");
    let more = ["--seconds", "0.5", "--fps", "10", "--size", "120x80", "--quiet"];
    let drawn = ["simulate", "simulate-dominoes", "--picture", "a.gif"];
    let run = folder.run(&[&drawn, &more[..]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let frames = gif_frames(&folder, "a.gif");
    assert_eq!(frames.len(), 6, "half a second, ten a second, and the first");
    assert!(difference(&frames[0], &frames[5]) > 0.001);
    let again =
        folder.run(&[&["simulate", "simulate-dominoes", "--picture", "b.gif"], &more[..]].concat());
    assert_eq!(again.status, 0);
    let [a, b] = ["a.gif", "b.gif"].map(|name| fs::read(folder.path().join(name)).expect("drawn"));
    assert!(a == b, "the same input gives the same bytes");
}

/// Lines alone leave most of the page white, and shades do not.
#[test]
fn a_still_may_be_drawn_by_lines_plain_and_at_any_size() {
    let folder = Folder::new("animation-still");
    folder.write("a.toml", CUBES);
    let mut white = Vec::new();
    for style in ["shaded", "lines"] {
        let more = ["--style", style, "--size", "300x200", "--plain", "--quiet"];
        let run = folder.run(&[&["collide", "a.toml", "--picture", "a.png"], &more[..]].concat());
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        let bytes = fs::read(folder.path().join("a.png")).expect("just drawn");
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().expect("a PNG");
        assert_eq!((reader.info().width, reader.info().height), (300, 200));
        let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
        reader.next_frame(&mut pixels).expect("a whole PNG");
        let count = pixels.chunks_exact(3).filter(|pixel| pixel.iter().all(|c| *c == 255)).count();
        white.push(count as f64 / 60_000.0);
    }
    assert!(white[0] < 0.75 && white[1] > white[0] + 0.1, "{white:?}");
    folder.run(&["collide", "a.toml", "--picture", "a.svg", "--plain", "--quiet"]);
    let svg = fs::read_to_string(folder.path().join("a.svg")).expect("just drawn");
    assert!(!svg.contains("<text"), "a plain picture has no text");
}

#[test]
fn wrong_uses_are_told_and_leave_nothing() {
    let folder = Folder::new("animation-wrong");
    folder.write("a.toml", CUBES);
    for (arguments, phrase) in [
        (vec!["collide", "a.toml", "--picture", "a.mp4"], "must end in .png or .svg"),
        (vec!["collide", "a.toml", "--picture", "none/a.gif"], "existing folder"),
        (vec!["collide", "a.toml", "--picture", "a.png", "--frames", "9"], "a still"),
        (vec!["collide", "a.toml", "--picture", "a.gif", "--at", "1"], "animated"),
        (vec!["collide", "a.toml", "--picture", "a.gif", "--frames", "1"], "--frames"),
        (vec!["collide", "a.toml", "--picture", "a.gif", "--frames", "9999"], "--frames"),
        (vec!["collide", "a.toml", "--picture", "a.gif", "--fps", "0"], "--fps"),
        (vec!["collide", "a.toml", "--picture", "a.png", "--size", "0x9"], "cannot be made"),
        (vec!["collide", "a.toml", "--picture", "a.png", "--size", "big"], "1200x800"),
        (vec!["collide", "a.toml", "--style", "lines"], "--picture"),
        (vec!["simulate", "simulate-dominoes", "--picture", "a.gif", "--at", "1"], "animated"),
        (vec!["trace", "trace-corner", "--picture", "a.gif"], "draws stills only"),
        (vec!["inspect", "a.obj", "--picture", "a.apng"], "draws stills only"),
        (vec!["man", "nothing"], "the commands are collide"),
    ] {
        let run = folder.run(&arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains(phrase), "{arguments:?}: {}", run.err);
        assert_eq!(folder.names(), ["a.toml"], "{arguments:?}");
    }
}
