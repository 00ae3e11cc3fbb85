//! A path around a post is made shorter: two places of it are joined wherever that is proven free.
//!
//! `cargo run --release -p chasles-planning --example shortcut`

use std::error::Error;
use std::io::{Write, stdout};

use chasles::{Pose, query::Geometry};
use chasles_planning::{Packages, Robot, Scene, SceneError};

/// Two arms of half a metre that turn about upright axes, and a ball for a hand.
const ROBOT: &str = r#"<robot name="scara">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.25 0 0"/>
    <geometry><box size="0.5 0.06 0.06"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
  <link name="lower"><collision><origin xyz="0.25 0 0" rpy="0 1.5707963267948966 0"/>
    <geometry><capsule radius="0.03" length="0.5"/></geometry></collision></link>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.5 0 0"/><axis xyz="0 0 1"/><limit lower="-2.5" upper="2.5"/></joint>
</robot>"#;

type Path = Vec<Vec<f64>>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new(Robot::parse(ROBOT, "scara.urdf", &Packages::new())?);
    let post = Geometry::cylinder([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], 0.05)?;
    scene.add("post", post, Pose::from_position([0.8, 0.0, 0.0])?)?;

    // Fold, turn, unfold: free, and far from short.
    let path: Path =
        [[-0.9, 0.3], [-1.2, 2.2], [0.3, 2.4], [1.2, -2.4], [0.9, -0.3]].map(Vec::from).into();
    for edge in path.windows(2) {
        assert!(scene.edge(&edge[0], &edge[1], 0.01)?.is_free());
    }
    let short = shortcut(&scene, path.clone(), 0.01)?;
    let found = scene.clearance(&short, 1e-4)?.ok_or("there are pairs")?;
    let [before, after] = [&path, &short].map(length);
    let mut out = stdout();
    writeln!(out, "{before:.2} radians became {after:.2}, never nearer than {:.4}", found.lower)?;
    assert!(after < 0.8 * before && found.lower >= 0.01 - 1e-4);
    Ok(())
}

/// Tries to join places of the path, the farthest apart first, again and again.
fn shortcut(scene: &Scene, mut path: Path, margin: f64) -> Result<Path, SceneError> {
    for round in 1..80 {
        let cut = |path: &Path, t: f64| {
            let i = ((t * (path.len() - 1) as f64) as usize).min(path.len() - 2);
            (i, between(&path[i], &path[i + 1], t * (path.len() - 1) as f64 - i as f64))
        };
        // Pairs of places spread evenly, by two irrational numbers.
        let [s, t] = [0.618_034, 0.414_214].map(|g: f64| (g * f64::from(round)).fract());
        let [(i, from), (j, to)] = [s.min(t), s.max(t)].map(|t| cut(&path, t));
        if i < j && scene.edge(&from, &to, margin)?.is_free() {
            path.splice(i + 1..=j, [from, to]);
        }
    }
    Ok(path)
}

fn between(p: &[f64], q: &[f64], t: f64) -> Vec<f64> {
    p.iter().zip(q).map(|(p, q)| p + t * (q - p)).collect()
}

fn length(path: &Path) -> f64 {
    let edge = |p: &[f64], q: &[f64]| p.iter().zip(q).map(|(p, q)| (p - q).powi(2)).sum::<f64>();
    path.windows(2).map(|ends| edge(&ends[0], &ends[1]).sqrt()).sum()
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
