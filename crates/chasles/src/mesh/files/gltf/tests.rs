use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::*;

/// A square of four vertices and six indices, as a document with the given scene part.
fn document(scene: &str, mode: &str, uri: Option<&str>) -> String {
    let uri = uri.map(|uri| format!(r#""uri":"{uri}","#)).unwrap_or_default();
    format!(
        r#"{{"asset":{{"version":"2.0"}},{scene},
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1{mode}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
            {{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}},
            {{"buffer":0,"byteOffset":48,"byteLength":12}}],
        "buffers":[{{{uri}"byteLength":60}}]}}"#
    )
}

fn data() -> Vec<u8> {
    let places = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.0_f32]];
    let mut bytes: Vec<u8> = places.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
    bytes.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|v| v.to_le_bytes()));
    bytes
}

fn embedded(scene: &str, mode: &str) -> String {
    let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(data()));
    document(scene, mode, Some(&uri))
}

fn glb() -> Vec<u8> {
    let mut json = document(ONE, "", None).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let blob = data();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + blob.len() as u32).to_le_bytes());
    for (name, chunk) in [(b"JSON", json), (b"BIN\0", blob)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(name);
        bytes.extend(chunk);
    }
    bytes
}

const ONE: &str = r#""scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}]"#;

fn parse(text: &str) -> Result<Polygons, ParseError> {
    parse_gltf(text.as_bytes(), None)
}

#[test]
fn embedded_and_binary_files_agree() {
    let mesh = parse(&embedded(ONE, "")).unwrap();
    assert_eq!(mesh.faces, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.vertices[2].to_array(), [1.0, 1.0, 0.0]);
    assert_eq!(parse_gltf(glb(), None).unwrap(), mesh);
}

#[test]
fn a_buffer_may_be_a_file_beside() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my data.bin"), data()).unwrap();
    let text = document(ONE, "", Some("my%20data.bin"));
    assert_eq!(parse_gltf(text.as_bytes(), Some(folder.path())).unwrap().faces.len(), 2);
    for uri in ["https://example.org/data.bin", "/etc/hostname", "missing.bin", "%", "%zz"] {
        let text = document(ONE, "", Some(uri));
        assert!(parse_gltf(text.as_bytes(), Some(folder.path())).is_err(), "{uri}");
    }
}

#[test]
fn a_buffer_outside_the_folder_is_refused() {
    let outside = tempfile::tempdir().unwrap();
    let inside = outside.path().join("scene");
    std::fs::create_dir_all(inside.join("below")).unwrap();
    for place in ["data.bin", "scene/below/data.bin"] {
        std::fs::write(outside.path().join(place), data()).unwrap();
    }
    let read = |uri: &str| {
        let text = document(ONE, "", Some(uri));
        parse_gltf(text.as_bytes(), Some(&inside)).map(|mesh| mesh.faces.len())
    };
    assert_eq!(read("below/data.bin"), Ok(2));
    assert_eq!(read("./below/data.bin"), Ok(2));
    let absolute = outside.path().join("data.bin").display().to_string();
    let names = ["../data.bin", "%2e%2e/data.bin", "below/../../data.bin", "..%2Fdata.bin"];
    for uri in names.iter().copied().chain([absolute.as_str(), "..%5Cdata.bin", "c:data.bin"]) {
        let error = read(uri).unwrap_err().to_string();
        assert!(error.contains("is not supported") && error.contains("below it"), "{error}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../data.bin", inside.join("link.bin")).unwrap();
        std::os::unix::fs::symlink("..", inside.join("up")).unwrap();
        std::os::unix::fs::symlink("below/data.bin", inside.join("near.bin")).unwrap();
        assert_eq!(read("near.bin"), Ok(2), "a link that stays below");
        for uri in ["link.bin", "up/data.bin"] {
            assert!(read(uri).unwrap_err().to_string().contains("is not supported"), "{uri}");
        }
    }
}

#[test]
fn instances_are_copies_of_the_mesh() {
    let places = [[0.0_f32, 0.0, 5.0], [0.0, 0.0, 7.0]];
    let scales = [[1.0_f32; 3], [-1.0, 1.0, 1.0]];
    let bytes: Vec<u8> =
        [places, scales].iter().flatten().flatten().flat_map(|c| c.to_le_bytes()).collect();
    let of = |attributes: &str| {
        let nodes = format!(
            r#""scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"scale":[2,2,2],"extensions":
            {{"EXT_mesh_gpu_instancing":{{"attributes":{{{attributes}}}}}}}}}]"#
        );
        let accessor = |view: u32| {
            format!(r#",{{"bufferView":{view},"componentType":5126,"count":2,"type":"VEC3"}}"#)
        };
        let views = r#",{"buffer":1,"byteLength":24},{"buffer":1,"byteOffset":24,"byteLength":24}"#;
        let uri = format!("data:;base64,{}", STANDARD.encode(&bytes));
        embedded(&nodes, "")
            .replacen(
                r#""type":"SCALAR"}"#,
                &(r#""type":"SCALAR"}"#.to_owned() + &accessor(2) + &accessor(3)),
                1,
            )
            .replacen(
                r#""byteOffset":48,"byteLength":12}"#,
                &format!(r#""byteOffset":48,"byteLength":12}}{views}"#),
                1,
            )
            .replacen(
                r#""byteLength":60}"#,
                &format!(r#""byteLength":60}},{{"uri":"{uri}","byteLength":48}}"#),
                1,
            )
    };
    let mesh = parse(&of(r#""TRANSLATION":2,"SCALE":3,"_COLOR":9"#)).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.faces.len()), (8, 4));
    assert_eq!(mesh.vertices[0].to_array(), [0.0, 0.0, 10.0]);
    assert_eq!(mesh.vertices[6].to_array(), [-2.0, 2.0, 14.0]);
    assert_eq!(mesh.faces[2], [4, 6, 5], "a mirrored copy keeps its outside");
    let error = |attributes: &str| parse(&of(attributes)).unwrap_err().to_string();
    assert!(error(r#""_COLOR":2"#).contains("node 0: `TRANSLATION`"), "{}", error(""));
    assert!(error(r#""TRANSLATION":2,"ROTATION":3"#).contains("expected VEC4"));
    assert!(error(r#""TRANSLATION":2,"SCALE":0"#).contains("as many instances"));
}

/// A document of `nodes` nodes, each with 2^20 instances at zeros that the file does not hold, of a
/// mesh with these primitives; and a triangle.
fn crowd(nodes: usize, primitives: &str) -> String {
    let bytes: Vec<u8> = [0.0_f32, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 0., 0.]
        .iter()
        .flat_map(|c| c.to_le_bytes())
        .collect();
    let crowded = r#"{"mesh":1,"extensions":{"EXT_mesh_gpu_instancing":
        {"attributes":{"TRANSLATION":1}}}}"#;
    let list = vec![crowded; nodes].join(",");
    let roots: Vec<String> = (0..=nodes).map(|node| node.to_string()).collect();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[{}]}}],"nodes":[{list},{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}},
            {{"primitives":[{primitives}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
            {{"componentType":5126,"count":1048576,"type":"VEC3","sparse":{{"count":1,
            "indices":{{"bufferView":1,"componentType":5125}},"values":{{"bufferView":0}}}}}},
            {{"bufferView":0,"componentType":5126,"count":0,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},
            {{"buffer":0,"byteOffset":36,"byteLength":16}}],
        "buffers":[{{"uri":"data:;base64,{}","byteLength":52}}]}}"#,
        roots.join(","),
        STANDARD.encode(&bytes)
    )
}

/// Reading the copies would take minutes.
#[test]
fn copies_of_nothing_and_too_many_copies_take_no_time() {
    let empty = parse(&crowd(1000, "")).unwrap();
    assert_eq!((empty.vertices.len(), empty.faces.len()), (3, 1));
    let none = r#"{"attributes":{"POSITION":2}}"#;
    let error = parse(&crowd(1000, none)).unwrap_err().to_string();
    assert!(error.contains("more than 4194304 copies of primitives"), "{error}");
    let many = [none; 5].join(",");
    let error = parse(&crowd(1, &many)).unwrap_err().to_string();
    assert!(error.contains("copies of primitives"), "{error}");
}

#[test]
fn hidden_nodes_are_left_out() {
    let hidden = |visible: bool| {
        let scene = format!(
            r#""extensionsRequired":["KHR_node_visibility"],"scenes":[{{"nodes":[0]}}],
            "nodes":[{{"mesh":0,"children":[1]}},{{"mesh":0,"children":[2],"extensions":
            {{"KHR_node_visibility":{{"visible":{visible}}}}}}},{{"mesh":0}}]"#
        );
        parse(&embedded(&scene, "")).unwrap().faces.len()
    };
    assert_eq!((hidden(true), hidden(false)), (6, 2));
}

#[test]
fn nodes_place_their_meshes_in_order() {
    let scene = r#""scenes":[{"nodes":[1]}],"nodes":[{"mesh":0,"translation":[0,0,5]},
        {"children":[2,0],"scale":[2,2,2]},
        {"mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476]}]"#;
    let mesh = parse(&embedded(scene, "")).unwrap();
    assert_eq!(mesh.vertices.len(), 8);
    assert!(mesh.vertices[1].distance(glam::dvec3(0.0, 2.0, 0.0)) < 1e-15, "turned, then scaled");
    assert_eq!(mesh.vertices[4].to_array(), [0.0, 0.0, 10.0]);
    assert_eq!(mesh.faces[2], [4, 5, 6]);
}

#[test]
fn a_mirrored_mesh_keeps_its_outside() {
    let scene = r#""scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"scale":[-1,1,1]}]"#;
    assert_eq!(parse(&embedded(scene, "")).unwrap().faces, [[0, 2, 1], [0, 3, 2]]);
}

#[test]
fn all_modes_are_read() {
    let mesh = |mode: u32| parse(&embedded(ONE, &format!(r#","mode":{mode}"#))).unwrap();
    assert_eq!(mesh(0).points, [0, 1, 2, 0, 2, 3]);
    assert_eq!(mesh(1).segments, [[0, 1], [2, 0], [2, 3]]);
    assert_eq!(mesh(2).segments, [[0, 1], [1, 2], [2, 0], [0, 2], [2, 3], [3, 0]]);
    assert_eq!(mesh(3).segments.len(), 5);
    assert_eq!(mesh(5).faces[..2], [[0, 1, 2], [2, 1, 0]]);
    assert_eq!(mesh(6).faces, [[0, 1, 2], [0, 2, 0], [0, 0, 2], [0, 2, 3]]);
}

#[test]
fn errors_name_the_part() {
    let error = |text: String| parse(&text).unwrap_err().to_string();
    let good = embedded(ONE, "");
    let with = |from: &str, to: &str| error(good.replacen(from, to, 1));
    assert_eq!(
        with(r#""POSITION":0"#, r#""POSITION":7"#),
        "accessor 7: accessor 7 does not exist: there are 2, counted from 0"
    );
    assert_eq!(
        with(r#""count":4"#, r#""count":4000000000"#),
        "accessor 0: the file ends before the end of 4000000000 elements"
    );
    assert_eq!(
        with(r#""count":4"#, r#""count":3"#),
        "mesh 0, primitive 0: vertex 3 does not exist: there are 3 vertices, counted from 0"
    );
    assert_eq!(
        with(r#""byteLength":60"#, r#""byteLength":61"#),
        "buffer 0: the file ends before byte 61 of the buffer"
    );
    assert_eq!(with("2.0", "1.0"), "version 1.0 of glTF is not supported: write version 2.0");
    assert!(with("{", "[").starts_with("not glTF: "));
    let looped = r#""scenes":[{"nodes":[0]}],"nodes":[{"children":[0]}]"#;
    assert!(error(embedded(looped, "")).starts_with("node 0: found `a second way to node 0`"));
    let draco = good.replacen('{', r#"{"extensionsRequired":["KHR_draco_mesh_compression"],"#, 1);
    assert!(error(draco).contains("`KHR_draco_mesh_compression`"));
}

#[test]
fn sparse_accessors_replace_values() {
    let sparse = r#""count":4,"sparse":{"count":1,
        "indices":{"bufferView":1,"byteOffset":10,"componentType":5123},
        "values":{"bufferView":0,"byteOffset":12}}"#;
    let text = embedded(ONE, "").replacen(r#""count":4"#, sparse, 1);
    let mesh = parse(&text).unwrap();
    assert_eq!(mesh.vertices[3].to_array(), [1.0, 0.0, 0.0]);
    let bare = text.replacen(r#"[{"bufferView":0,"#, "[{", 1);
    assert_eq!(parse(&bare).unwrap().vertices[2].to_array(), [0.0; 3]);
    let endless = bare.replacen(r#""count":4"#, r#""count":4000000000"#, 1);
    assert!(parse(&endless).unwrap_err().to_string().contains("4000000000"));
}

#[test]
fn a_stride_skips_what_stands_between() {
    let strided = |stride: u32| {
        let text = embedded(ONE, r#","mode":0"#).replacen(r#""count":4"#, r#""count":2"#, 1);
        let text = text.replacen(r#","indices":1"#, "", 1);
        let view = format!(r#""byteStride":{stride},"byteLength":48"#);
        parse(&text.replacen(r#""byteLength":48"#, &view, 1))
    };
    assert_eq!(strided(24).unwrap().vertices[1].to_array(), [1.0, 1.0, 0.0]);
    assert!(strided(8).unwrap_err().to_string().contains("a stride of at least"));
    assert!(strided(48).unwrap_err().to_string().contains("the end of 2 elements"));
}

#[test]
fn a_short_glb_header_is_an_error() {
    for cut in 0..glb().len() {
        assert!(parse_gltf(&glb()[..cut], None).is_err(), "{cut} bytes");
    }
}
