//! Mesh files: what is saved is read back, wrong files are named, and no bytes make a parser panic,
//! hang or allocate by what a header claims.

#![cfg(feature = "files")]

use std::fs;
use std::path::Path;

use chasles::mesh::Inspection;
use chasles::mesh::files::{self, ParseError};
use chasles::mesh::shapes::{Bolt, Car, Gear, Shape};
use chasles::{Polygons, Polyhedron};
use glam::DVec3;

type Parser = fn(&[u8]) -> Result<Polygons, ParseError>;

/// Small valid files of every format.
fn samples() -> Vec<(&'static str, Vec<u8>, Parser)> {
    let gltf: Parser = |bytes| files::parse_gltf(bytes, None);
    vec![
        ("obj", OBJ.as_bytes().to_vec(), |bytes| files::parse_obj(bytes)),
        ("text stl", STL.as_bytes().to_vec(), |bytes| files::parse_stl(bytes)),
        ("binary stl", binary_stl(), |bytes| files::parse_stl(bytes)),
        ("text ply", PLY.as_bytes().to_vec(), |bytes| files::parse_ply(bytes)),
        ("little-endian ply", binary_ply(false), |bytes| files::parse_ply(bytes)),
        ("big-endian ply", binary_ply(true), |bytes| files::parse_ply(bytes)),
        ("off", OFF.as_bytes().to_vec(), |bytes| files::parse_off(bytes)),
        ("gltf", GLTF.as_bytes().to_vec(), gltf),
        ("glb", glb(), gltf),
    ]
}

const OBJ: &str =
    "o a\nv 0 0 0\nv 1 0 0\nv 1 1 \\\n 0.5\nv 0 1 0\nf 1/1 2/2 3//3 -1\nl 1 2 3\np 4\n";
const STL: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
    vertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
const PLY: &str = "ply\nformat ascii 1.0\ncomment c\nelement vertex 3\nproperty float x\n\
    property float y\nproperty float z\nelement face 1\n\
    property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const OFF: &str = "OFF # c\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n";
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"mesh":0,"scale":[1,2,3],"children":[1]},{"rotation":[0,0,0,1]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":4}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;

fn corners() -> Vec<f32> {
    vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]
}

fn binary_stl() -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend([0; 12]);
    bytes.extend(corners().iter().flat_map(|c| c.to_le_bytes()));
    bytes.extend([0; 2]);
    bytes
}

fn binary_ply(big: bool) -> Vec<u8> {
    let format = if big { "binary_big_endian" } else { "binary_little_endian" };
    let end = PLY.find("end_header\n").unwrap() + "end_header\n".len();
    let mut bytes = PLY[..end].replace("ascii", format).into_bytes();
    let order = |mut raw: [u8; 4]| {
        if big {
            raw.reverse();
        }
        raw
    };
    bytes.extend(corners().iter().flat_map(|c| order(c.to_le_bytes())));
    bytes.push(3);
    bytes.extend([0_u32, 1, 2].iter().flat_map(|v| order(v.to_le_bytes())));
    bytes
}

fn glb() -> Vec<u8> {
    let start = GLTF.find(r#","uri""#).unwrap();
    let mut json = format!("{}}}]}}", &GLTF[..start]).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let blob: Vec<u8> = corners().iter().flat_map(|c| c.to_le_bytes()).collect();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + blob.len() as u32).to_le_bytes());
    for (name, chunk) in [(b"JSON", json), (b"BIN\0", blob)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(name);
        bytes.extend(chunk);
    }
    bytes
}

/// A reader must answer, and so must everything that looks at what it accepts.
fn answer(parse: Parser, bytes: &[u8]) {
    let Ok(polygons) = parse(bytes) else { return };
    let Ok(mesh) = Polyhedron::new(&polygons) else { return };
    let inspection = Inspection::new(&polygons, &mesh);
    assert_eq!(inspection.closed, mesh.is_closed());
}

/// A small generator of our own (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

#[test]
fn the_samples_are_valid() {
    for (name, bytes, parse) in samples() {
        let mesh = parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(mesh.faces.len(), 1, "{name}");
        assert!(mesh.vertices.contains(&DVec3::X), "{name}");
    }
}

#[test]
fn files_cut_at_any_byte_get_an_answer() {
    for (_, bytes, parse) in samples() {
        for end in 0..bytes.len() {
            answer(parse, &bytes[..end]);
        }
    }
}

#[test]
fn binary_files_cut_at_any_byte_are_refused() {
    for (name, bytes, parse) in samples() {
        if name.contains("binary") || name.contains("endian") || name == "glb" {
            for end in 0..bytes.len() {
                assert!(parse(&bytes[..end]).is_err(), "{name} cut at {end}");
            }
        }
    }
}

#[test]
fn files_with_flipped_bytes_get_an_answer() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (_, bytes, parse) in samples() {
        for i in 0..bytes.len() {
            for value in [0x00, 0xff, b'-', b'9', b' ', b'\n', bytes[i] ^ 0x80, bytes[i] ^ 1] {
                let mut broken = bytes.clone();
                broken[i] = value;
                answer(parse, &broken);
            }
        }
        for _ in 0..5000 {
            let mut broken = bytes.clone();
            for _ in 0..=random.below(8) {
                let i = random.below(broken.len());
                match random.below(4) {
                    0 => broken[i] = random.below(256) as u8,
                    1 => broken[i] ^= 1 << random.below(8),
                    2 => broken.insert(i, random.below(256) as u8),
                    _ => drop(broken.drain(i..)),
                }
                if broken.is_empty() {
                    break;
                }
            }
            answer(parse, &broken);
        }
    }
}

#[test]
fn any_file_given_to_any_reader_gets_an_answer() {
    for (_, bytes, _) in samples() {
        for (_, _, parse) in samples() {
            answer(parse, &bytes);
        }
    }
}

#[test]
fn a_byte_order_mark_changes_nothing() {
    for (name, bytes, parse) in samples() {
        if name != "binary stl" && name != "glb" {
            let marked = [b"\xef\xbb\xbf", &bytes[..]].concat();
            assert_eq!(parse(&marked), parse(&bytes), "{name}");
        }
    }
}

#[test]
fn text_may_be_utf_16() {
    for (name, bytes, parse) in samples() {
        let Ok(text) = String::from_utf8(bytes.clone()) else { continue };
        if name.contains("endian") {
            continue;
        }
        // A character beyond 16 bits in a comment, where the format has comments.
        let text = if name == "obj" { format!("# \u{1d4b8}\n{text}") } else { text };
        let units = || std::iter::once('\u{feff}').chain(text.chars()).collect::<String>();
        let little: Vec<u8> = units().encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(parse(&little), parse(&bytes), "{name}");
        assert_eq!(parse(&big), parse(&bytes), "{name}");
        for end in 0..little.len() {
            answer(parse, &little[..end]);
        }
    }
}

#[test]
fn saved_meshes_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let shapes = [
        Shape::Car(Car { length: 1.0 / 3.0 }),
        Shape::Gear(Gear::default()),
        Shape::Bolt(Bolt::default()),
    ];
    for polygons in shapes.map(|shape| shape.polygons().unwrap()) {
        for name in ["mesh.obj", "mesh.PLY", "mesh.off"] {
            let path = folder.path().join(name);
            files::save(&path, &polygons).unwrap();
            assert_eq!(files::load(&path).unwrap(), polygons, "{name}");
        }
        let path = folder.path().join("mesh.Stl");
        files::save(&path, &polygons).unwrap();
        let [saved, read] = [&polygons, &files::load(&path).unwrap()]
            .map(|polygons| Polyhedron::new(polygons).unwrap());
        assert!(read.is_closed());
        assert!((saved.volume() - read.volume()).abs() < 1e-13);
    }
}

#[test]
fn segments_and_points_survive_obj() {
    let mut polygons = Polygons::new([[0., 0., 0.], [1e-9, 1e99, -0.1], [3., 4., 5.]], [[0, 1, 2]]);
    polygons.segments.push([2, 1]);
    polygons.points.push(0);
    assert_eq!(files::parse_obj(files::to_obj(&polygons).as_bytes()), Ok(polygons));
}

#[test]
fn wrong_files_are_named_with_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &Path| {
        let message = files::load(path).unwrap_err().to_string();
        let start = format!("{}: ", path.display());
        message
            .strip_prefix(&start)
            .unwrap_or_else(|| panic!("no file name in {message}"))
            .to_owned()
    };
    let with = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        message(&path)
    };
    let known = "is none of the known ones: obj, stl, ply, off, gltf, glb";
    assert!(message(&folder.path().join("missing.obj")).contains("No such file"));
    assert_eq!(with("mesh.fbx", b""), format!("the extension `fbx` {known}"));
    assert_eq!(with("mesh", b""), format!("the extension `` {known}"));
    for extension in files::EXTENSIONS {
        let empty = with(&format!("empty.{extension}"), b"");
        assert_eq!(empty, "the file is empty, but must hold a mesh");
    }
    fs::create_dir(folder.path().join("folder.obj")).unwrap();
    assert_eq!(
        message(&folder.path().join("folder.obj")),
        "is a directory, but must be a regular file"
    );
    assert_eq!(with("bad.obj", b"v 0 \xff 0"), "line 1: the bytes here are not UTF-8 text");
    let far = with("far.obj", b"v 0 1e200 0");
    assert!(far.starts_with("vertex 0 is at") && far.ends_with("below 1e100"), "{far}");
    assert!(matches!(
        files::save(folder.path().join("mesh.glb"), &Polygons::default()),
        Err(files::FileError::OnlyRead { .. })
    ));
}
