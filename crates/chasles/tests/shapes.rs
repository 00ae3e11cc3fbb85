//! Every built-in shape is a closed, outward oriented surface of planar faces, and bad parameters
//! are refused with a sentence.

use chasles::Polyhedron;
use chasles::mesh::Inspection;
use chasles::mesh::shapes::*;

fn all() -> Vec<Shape> {
    vec![
        Shape::Box(Cuboid::default()),
        Shape::Sphere(Sphere::default()),
        Shape::Capsule(Capsule::default()),
        Shape::Cylinder(Cylinder::default()),
        Shape::Cone(Cone::default()),
        Shape::Prism(Prism::default()),
        Shape::Torus(Torus::default()),
        Shape::Car(Car::default()),
        Shape::Bolt(Bolt::default()),
        Shape::Nut(Nut::default()),
        Shape::Gear(Gear::default()),
        Shape::Gear(Gear { bore: Some(0.3), ..Gear::default() }),
    ]
}

#[test]
fn default_shapes_are_closed_and_enclose_a_positive_volume() {
    for shape in all() {
        let mesh = shape.build().unwrap();
        assert!(mesh.is_closed(), "{shape:?}");
        assert!(mesh.volume() > 0.0, "{shape:?}");
    }
}

#[test]
fn no_polygon_of_a_shape_is_split() {
    for shape in all() {
        let polygons = shape.polygons().unwrap();
        let mesh = Polyhedron::new(&polygons).unwrap();
        assert_eq!(mesh.face_count(), polygons.faces.len(), "{shape:?}");
        assert_eq!(mesh.vertex_count(), polygons.vertices.len(), "{shape:?}");
    }
}

#[test]
fn volumes_are_those_of_the_formulas() {
    let volume = |shape: Shape| shape.build().unwrap().volume();
    let close = |found: f64, expected: f64, tolerance: f64| {
        assert!((found - expected).abs() <= tolerance * expected, "{found} for {expected}");
    };
    let pi = std::f64::consts::PI;
    close(volume(Shape::Box(Cuboid { size: [1., 2., 3.] })), 6.0, 1e-15);
    let segments = [400, 200];
    close(volume(Shape::Sphere(Sphere { radius: 2.0, segments })), 32.0 / 3.0 * pi, 2e-4);
    let capsule = Capsule { radius: 2.0, length: 3.0, segments };
    close(volume(Shape::Capsule(capsule)), (32.0 / 3.0 + 12.0) * pi, 2e-4);
    close(volume(Shape::Torus(Torus { major: 2.0, minor: 0.5, segments })), pi * pi, 3e-4);
    let segments = 1000;
    let [radius, height] = [2.0, 3.0];
    close(volume(Shape::Cylinder(Cylinder { radius, height, segments })), 12.0 * pi, 1e-5);
    close(volume(Shape::Cone(Cone { radius, height, segments })), 4.0 * pi, 1e-5);
    let square = Prism { radius: 1.0, height: 1.0, sides: 4 };
    close(volume(Shape::Prism(square)), 2.0, 1e-14);
}

#[test]
fn a_plane_is_one_open_rectangle_seen_from_above() {
    let plane = Shape::Plane(Plane { size: [4.0, 2.0] }).build().unwrap();
    assert_eq!((plane.face_count(), plane.edge_count()), (1, 4));
    assert!(!plane.is_closed());
    assert_eq!(plane.normal(0).to_array(), [0.0, 1.0, 0.0]);
}

#[test]
fn bad_parameters_are_named() {
    let message = |shape: Shape| shape.build().unwrap_err().to_string();
    assert_eq!(
        message(Shape::Box(Cuboid { size: [1.0, f64::NAN, 1.0] })),
        "box: `size[1]` is NaN, but must be a positive number from 1e-60 to 1e60"
    );
    assert_eq!(
        message(Shape::Torus(Torus { minor: 1.5, ..Torus::default() })),
        "torus: `minor` must be less than `major`"
    );
    assert_eq!(
        message(Shape::Prism(Prism { sides: 2, ..Prism::default() })),
        "prism: `sides` is 2, but must be at least 3"
    );
    assert_eq!(
        message(Shape::Capsule(Capsule { segments: [24, 5], ..Capsule::default() })),
        "capsule: `segments[1]` must be even, half of it for each end"
    );
    let endless = Sphere { segments: [u32::MAX, u32::MAX], ..Sphere::default() };
    assert_eq!(
        message(Shape::Sphere(endless)),
        "sphere: about 1.8e19 faces, but at most 20000000 are made: use fewer segments"
    );
    for bad in [0.0, -1.0, f64::INFINITY, 1e300, 1e-300] {
        assert!(Shape::Car(Car { length: bad }).build().is_err());
        assert!(Shape::Gear(Gear { bore: Some(bad), ..Gear::default() }).build().is_err());
        assert!(Shape::Bolt(Bolt { pitch: bad, ..Bolt::default() }).build().is_err());
    }
}

/// A small generator of our own (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % u64::from(limit)) as u32
    }

    /// A size from 0.01 to 100, every order of magnitude as often.
    fn size(&mut self) -> f64 {
        10_f64.powf(f64::from(self.below(4001)) / 1000.0 - 2.0)
    }

    fn shape(&mut self) -> (Shape, u64) {
        let [radius, pitch, depth] = [self.size(), self.size(), self.size()];
        let segments = 6 * (1 + self.below(8));
        match self.below(5) {
            0 => {
                let [length, head_width, head_height] = [self.size(), self.size(), self.size()];
                let bolt = Bolt { radius, pitch, depth, length, segments, head_width, head_height };
                (Shape::Bolt(bolt), 0)
            }
            1 => {
                let [clearance, height, width] = [self.size(), self.size(), self.size()];
                let nut = Nut { radius, pitch, depth, clearance, height, segments, width };
                (Shape::Nut(nut), 1)
            }
            2 => {
                let bore = Some(radius).filter(|_| self.below(2) == 0);
                let genus = u64::from(bore.is_some());
                let teeth = self.below(200);
                (Shape::Gear(Gear { teeth, module: pitch, thickness: depth, bore }), genus)
            }
            3 => {
                let segments = [self.below(40), self.below(40)];
                (Shape::Torus(Torus { major: radius, minor: pitch, segments }), 1)
            }
            _ => {
                let segments = [self.below(40), self.below(40)];
                (Shape::Sphere(Sphere { radius, segments }), 0)
            }
        }
    }
}

#[test]
fn any_parameters_give_a_sound_surface_or_an_error() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut built = 0;
    for _ in 0..2000 {
        let (shape, genus) = random.shape();
        let Ok(polygons) = shape.polygons() else { continue };
        if polygons.faces.len() > 20_000 {
            continue;
        }
        let mesh = shape.build().unwrap_or_else(|error| panic!("{error} for {shape:?}"));
        let found = Inspection::new(&polygons, &mesh);
        assert!(found.closed && found.manifold && found.oriented && found.planar, "{shape:?}");
        assert!(found.volume > 0.0 && found.crossing_faces.is_empty(), "{shape:?}");
        assert_eq!(found.components.len(), 1, "{shape:?}");
        assert_eq!(found.components[0].genus, Some(genus), "{shape:?}");
        built += 1;
    }
    assert!(built > 500, "only {built} shapes were built");
}

#[test]
fn a_shape_too_thin_for_its_faces_is_refused() {
    let sheet = Shape::Box(Cuboid { size: [1.0, 1e-14, 1.0] });
    assert_eq!(sheet.build(), Err(ShapeError::TooThin));
}

#[cfg(feature = "serde")]
mod scene_file {
    use super::*;

    #[derive(Debug, serde::Deserialize, serde::Serialize)]
    struct Body {
        shape: Shape,
    }

    fn read(text: &str) -> Result<Shape, String> {
        toml::from_str::<Body>(text).map(|body| body.shape).map_err(|e| e.to_string())
    }

    #[test]
    fn omitted_fields_take_their_defaults() {
        let torus = Torus { major: 2.0, ..Torus::default() };
        assert_eq!(read("shape = { torus = { major = 2 } }"), Ok(Shape::Torus(torus)));
        assert_eq!(read("shape = { car = {} }"), Ok(Shape::Car(Car::default())));
        let size = [1.0, 2.5, 3.0];
        assert_eq!(
            read("shape = { box = { size = [1, 2.5, 3] } }"),
            Ok(Shape::Box(Cuboid { size }))
        );
    }

    #[test]
    fn unknown_names_are_errors_that_list_the_known_ones() {
        let error = read("shape = { torus = { magor = 2 } }").unwrap_err();
        assert!(error.contains("`magor`") && error.contains("`major`"), "{error}");
        let error = read("shape = { tours = {} }").unwrap_err();
        assert!(error.contains("`tours`") && error.contains("`torus`"), "{error}");
    }

    #[test]
    fn every_shape_survives_writing_and_reading() {
        for shape in all() {
            let text = toml::to_string(&Body { shape: shape.clone() }).unwrap();
            assert_eq!(read(&text), Ok(shape), "{text}");
        }
    }

    #[test]
    fn the_schema_names_the_shapes() {
        let schema = schemars::schema_for!(Shape).to_value().to_string();
        for name in ["\"box\"", "\"torus\"", "\"car\"", "\"gear\"", "\"head_width\""] {
            assert!(schema.contains(name), "{name}");
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn an_inspection_can_be_written() {
    let polygons = Shape::Plane(Plane::default()).polygons().unwrap();
    let found = Inspection::new(&polygons, &Polyhedron::new(&polygons).unwrap());
    let text = toml::to_string(&found).unwrap();
    assert!(text.contains("input_faces = 1") && text.contains("border_edges"), "{text}");
}
