//! A body of the world: its surface, what moves it, where it is and how fast.

use std::sync::OnceLock;

use chasles::query::{Filter, Geometry};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use glam::DVec3;

use super::State;
use super::broad::radius_about;
use super::damping::Damping;
use super::load::Load;
use super::route::Route;
use super::shape::Shape;
use crate::body::{Inertia, Locks, MassProperties, Material, Velocity};
use crate::spin::Top;

/// What moves a body.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Kind {
    /// Forces and impulses.
    Dynamic(MassProperties),
    /// A route of its own, which nothing diverts: it brushes dynamic bodies aside with lordly
    /// disdain [MW88 §3.3]. It waits only where it could not go on without entering a body that
    /// does not get out of its way; in windows it passes static bodies and others on routes.
    Kinematic(Route),
    /// A route until something hits it; from then on it is dynamic.
    Yielding(Route, MassProperties),
    /// Nothing.
    Static,
}

/// A body: make it with [`Body::dynamic`] and its like, then place it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    #[cfg_attr(feature = "serde", serde(skip, default = "point"))]
    pub(super) shape: Shape,
    pub(super) kind: Kind,
    pub(super) material: Material,
    pub(super) state: State,
    /// What a caller pulls it with.
    pub(super) load: Load,
    pub(super) damping: Damping,
    /// How fast its surface runs along, in its own frame.
    pub(super) belt: DVec3,
    /// Seconds since it last moved faster than sleep allows.
    pub(super) still_for: f64,
    pub(super) is_asleep: bool,
    pub(super) is_intangible: bool,
    pub(super) is_sensor: bool,
    /// Who it collides with.
    pub(super) filter: Filter,
    /// Whether it may overlap others, since it was not in the world when that was last found out.
    pub(super) is_new: bool,
    /// Whether every edge and vertex of the surface is on a face.
    #[cfg_attr(feature = "serde", serde(skip))]
    is_all_faces: bool,
    /// A size of its surface: what the gaps that are kept to it are measured by.
    #[cfg_attr(feature = "serde", serde(skip))]
    size: f64,
}

impl Body {
    fn new(shape: Shape, kind: Kind) -> Self {
        Self {
            is_all_faces: is_all_faces(shape.core().0.mesh()),
            size: size(shape.bounds()),
            shape,
            kind,
            material: Material::default(),
            state: State { pose: Pose::IDENTITY, velocity: Velocity::ZERO, on_route: 0.0 },
            load: Load::default(),
            damping: Damping::NONE,
            belt: DVec3::ZERO,
            still_for: 0.0,
            is_asleep: false,
            is_intangible: false,
            is_sensor: false,
            filter: Filter::default(),
            is_new: true,
        }
    }

    /// A body that forces and impulses move, at the origin and at rest.
    ///
    /// *Accepts* any surface, an `Arc<Collider>` or a [`Shape`], which need not be where the mass
    /// is. *Cost* linear in the vertices. *Fails* never.
    pub fn dynamic(shape: impl Into<Shape>, mass_properties: MassProperties) -> Self {
        Self::new(shape.into(), Kind::Dynamic(mass_properties))
    }

    /// A body that goes its own way.
    ///
    /// *Accepts* any surface and route. *Guarantees* that it begins where the route does. *Cost*
    /// and *Fails* as [`Body::dynamic`].
    pub fn kinematic(shape: impl Into<Shape>, route: Route) -> Self {
        Self::on_route(shape.into(), Kind::Kinematic(route))
    }

    /// A body that goes its own way until something hits it.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Body::kinematic`].
    pub fn yielding(
        shape: impl Into<Shape>,
        route: Route,
        mass_properties: MassProperties,
    ) -> Self {
        Self::on_route(shape.into(), Kind::Yielding(route, mass_properties))
    }

    fn on_route(shape: Shape, kind: Kind) -> Self {
        let mut body = Self::new(shape, kind);
        body.state.pose = body.route().map_or(Pose::IDENTITY, |route| route.pose_at(0.0));
        body
    }

    /// A body that stays where it is.
    ///
    /// *Accepts*, *Cost* and *Fails* as [`Body::dynamic`].
    pub fn fixed(shape: impl Into<Shape>) -> Self {
        Self::new(shape.into(), Kind::Static)
    }

    /// The same body at this pose; bodies with a route begin where that does.
    #[must_use]
    pub fn at(mut self, pose: Pose) -> Self {
        if self.route().is_none() {
            self.state.pose = pose;
        }
        self
    }

    /// The same body with this velocity of its centre of mass and this angular velocity.
    ///
    /// *Accepts* any vectors; a world refuses to step with ones that are not finite. *Cost*
    /// constant. *Fails* never.
    #[must_use]
    pub fn moving(mut self, linear: DVec3, angular: DVec3) -> Self {
        self.state.velocity = self.allowed(&Velocity { linear, angular });
        self
    }

    /// The same body, kept from moving in some directions of the world; nothing changes for one
    /// without mass.
    ///
    /// *Accepts* any locks. *Guarantees* that forces, impulses and joints move it in free
    /// directions only, and that the speed that it had in others is gone. *Cost* constant. *Fails*
    /// never.
    #[must_use]
    pub fn locked(mut self, locks: Locks) -> Self {
        self.set_locks(locks);
        self
    }

    pub(super) fn set_locks(&mut self, locks: Locks) {
        if let Kind::Dynamic(mass_properties) | Kind::Yielding(_, mass_properties) = &mut self.kind
        {
            *mass_properties = mass_properties.locked(locks);
        }
        self.state.velocity = self.allowed(&self.state.velocity);
    }

    /// What locks leave of a velocity.
    pub(super) fn allowed(&self, velocity: &Velocity) -> Velocity {
        self.mass_properties()
            .map_or(*velocity, |mass_properties| mass_properties.locks().kept(velocity))
    }

    /// The same body under a load, as [`World::load`](super::World::load) gives it.
    #[must_use]
    pub fn loaded(mut self, load: Load) -> Self {
        self.load = load;
        self
    }

    /// The same body, made of this.
    #[must_use]
    pub fn made_of(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// What loads it besides gravity.
    pub fn load(&self) -> Load {
        self.load
    }

    /// The same body, which loses speed in proportion to it.
    #[must_use]
    pub fn damped(mut self, damping: Damping) -> Self {
        self.damping = damping;
        self
    }

    /// How fast it loses speed.
    pub fn damping(&self) -> Damping {
        self.damping
    }

    /// The same body as a conveyor: its surface runs along with this velocity, in its own frame.
    #[must_use]
    pub fn conveying(mut self, velocity: DVec3) -> Self {
        self.belt = velocity;
        self
    }

    /// How fast its surface runs along, in its own frame.
    pub fn surface_velocity(&self) -> DVec3 {
        self.belt
    }

    /// The same body, which all others pass through: something to hang joints on.
    #[must_use]
    pub fn intangible(mut self) -> Self {
        self.is_intangible = true;
        self
    }

    /// The same body as a sensor: it touches nothing, and reports tell who [enters and leaves
    /// it](super::Report::sensed), of the bodies that its [filter](Body::filtered) admits. A static
    /// one does not notice other static bodies.
    #[must_use]
    pub fn sensing(mut self) -> Self {
        self.is_sensor = true;
        self.intangible()
    }

    /// Whether it is a sensor.
    pub fn is_sensor(&self) -> bool {
        self.is_sensor
    }

    /// What stands in an empty place of a world: a point that nothing meets.
    pub(super) fn vacant() -> Self {
        Self { is_new: false, ..Self::fixed(point()).intangible() }
    }

    /// The same body with another surface.
    #[cfg(feature = "serde")]
    pub(super) fn shaped(self, shape: Shape) -> Self {
        let Self { is_all_faces, size, shape, .. } = Self::new(shape, Kind::Static);
        Self { shape, is_all_faces, size, ..self }
    }

    /// Whether what it is made of can be: a route has poses.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        match self.route() {
            Some(Route::Keys(keys)) => Route::keys(keys.clone()).is_ok(),
            _ => true,
        }
    }

    /// The same body in these groups; it collides with bodies in groups of its mask, if it is in
    /// one of theirs.
    #[must_use]
    pub fn filtered(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// The groups that it is in, and those that it collides with.
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// Whether all others pass through it.
    pub fn is_intangible(&self) -> bool {
        self.is_intangible
    }

    /// The surface.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The surface as a mesh to show; what collides of a round body is its [shape](Self::shape).
    pub fn collider(&self) -> &Collider {
        self.shape.drawn()
    }

    /// The surface as queries take it.
    pub(super) fn geometry(&self) -> &Geometry {
        self.shape.geometry()
    }

    /// What moves it.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Where it is.
    pub fn pose(&self) -> Pose {
        self.state.pose
    }

    /// How fast its centre of mass moves, and how fast it turns; on a route, how fast the origin of
    /// its frame moved in the last part of the last step.
    pub fn velocity(&self) -> Velocity {
        self.state.velocity
    }

    /// What its surface is made of.
    pub fn material(&self) -> Material {
        self.material
    }

    /// Whether it rests and is not looked at until something comes near.
    pub fn is_asleep(&self) -> bool {
        self.is_asleep
    }

    /// Mass and inertia, if forces move it.
    pub fn mass_properties(&self) -> Option<&MassProperties> {
        match &self.kind {
            Kind::Dynamic(mass_properties) => Some(mass_properties),
            _ => None,
        }
    }

    /// The older name of [`Body::mass_properties`].
    #[deprecated(note = "it is `mass_properties`")]
    pub fn solidity(&self) -> Option<&MassProperties> {
        self.mass_properties()
    }

    pub(super) fn route(&self) -> Option<&Route> {
        match &self.kind {
            Kind::Kinematic(route) | Kind::Yielding(route, _) => Some(route),
            _ => None,
        }
    }

    pub(super) fn is_dynamic(&self) -> bool {
        self.mass_properties().is_some()
    }

    /// Whether anything moves it.
    pub(super) fn is_movable(&self) -> bool {
        !matches!(self.kind, Kind::Static)
    }

    /// Whether it becomes dynamic when something hits it.
    pub(super) fn yields(&self) -> bool {
        matches!(self.kind, Kind::Yielding(..))
    }

    /// The box around the surface, in the body's frame.
    pub(super) fn bounds(&self) -> [DVec3; 2] {
        self.shape.bounds()
    }

    pub(super) fn is_all_faces(&self) -> bool {
        self.is_all_faces
    }

    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// A speed that none of its points exceeds at this velocity.
    pub(super) fn fastest(&self, velocity: &Velocity) -> f64 {
        let centre = self.mass_properties().map_or(DVec3::ZERO, MassProperties::centre);
        velocity.linear.length() + velocity.angular.length() * radius_about(self, centre)
    }

    /// The centre of mass; of bodies without mass, the origin of their frame.
    pub fn centre(&self) -> DVec3 {
        let pose = self.state.pose;
        self.mass_properties()
            .map_or(pose.position(), |mass_properties| pose.point(mass_properties.centre()))
    }

    /// How it answers impulses.
    pub fn inertia(&self) -> Inertia {
        self.inertia_at(&self.state.pose)
    }

    pub(super) fn inertia_at(&self, pose: &Pose) -> Inertia {
        self.mass_properties()
            .map_or(Inertia::fixed(pose.position()), |mass_properties| mass_properties.at(pose))
    }

    /// The kinetic energy.
    pub fn kinetic_energy(&self) -> f64 {
        let of = |mass_properties: &MassProperties| {
            0.5 * mass_properties.mass() * self.state.velocity.linear.length_squared()
                + top(mass_properties, &self.state).energy()
        };
        self.mass_properties().map_or(0.0, of)
    }

    /// Linear momentum, and angular momentum about the origin of the world.
    pub fn momentum(&self) -> [DVec3; 2] {
        let of = |mass_properties: &MassProperties| {
            let linear = mass_properties.mass() * self.state.velocity.linear;
            [linear, self.centre().cross(linear) + top(mass_properties, &self.state).momentum]
        };
        self.mass_properties().map_or([DVec3::ZERO; 2], of)
    }
}

/// The surface of a single point, made once.
fn point() -> Shape {
    static POINT: OnceLock<Shape> = OnceLock::new();
    let make = || {
        let point = Polygons { vertices: vec![DVec3::ZERO], ..Polygons::default() };
        Collider::new(Polyhedron::new(&point).expect("a point is a mesh")).into()
    };
    POINT.get_or_init(make).clone()
}

/// The rotation of a body by itself.
pub(super) fn top(mass_properties: &MassProperties, state: &State) -> Top {
    let attitude = state.pose.rotation() * mass_properties.axes();
    let in_body = attitude.conjugate() * state.velocity.angular;
    let moments = mass_properties.moments();
    Top { attitude, momentum: attitude * (moments * in_body), moments }
}

/// Whether every edge and vertex of a mesh is on a face.
fn is_all_faces(mesh: &Polyhedron) -> bool {
    (0..mesh.edge_count() as u32).all(|edge| !mesh.edge_sides(edge).is_empty())
        && (0..mesh.vertex_count() as u32).all(|vertex| !mesh.vertex_faces(vertex).is_empty())
}

/// The shortest side of the box around the vertices; of flat bodies, the shortest that is not
/// nothing.
fn size([low, high]: [DVec3; 2]) -> f64 {
    let sides = high - low;
    let longest = sides.max_element();
    let real = sides.to_array().into_iter().filter(|side| *side > 1e-6 * longest);
    real.fold(longest, f64::min)
}
