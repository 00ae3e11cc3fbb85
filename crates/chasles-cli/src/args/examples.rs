//! Examples and notes under the help of each command. Scenes are built-in ones, which run in any
//! folder; a test runs every line. Paragraphs are wrapped where they are shown.

pub(super) const EXAMPLES: &str = "\
Examples:
  chasles demo
  chasles collide tori
  chasles collide tori --report tori.html
  chasles collide cubes --first --json -
  chasles collide spin --window 0 0.5 --repeat 100 --quiet --json spin.json
  chasles collide cars --picture cars.png
  chasles collide tori --method screen --pixels 24
  chasles collide cloth --picture cloth.png
  chasles compare tori
  chasles trace trace-corner
  chasles simulate simulate-dominoes --picture fallen.png
  chasles scenes --copy gear
  chasles inspect meshes/gear.obj
  chasles field meshes/gear.obj --output gear.sdf
  chasles queries rod.vf.bin rod.ee.bin --answers answers.txt
  chasles scenes --copy all my-scenes
  chasles docs guide
  chasles schema > scene.schema.json

Exit status: 0 the command did its work (contacts or none), 2 the input is wrong or a result \
cannot be written, 130 interrupted.";

pub(super) const COLLIDE_EXAMPLES: &str = "\
Examples:
  chasles collide tori
  chasles collide tori --min-properness -0.1 --facing
  chasles collide tori --picture tori.png
  chasles collide tori --report tori.html
  chasles collide cars --picture end.svg --at 1
  chasles collide tori --picture times.png --at 0,proper,1
  chasles collide tori --picture tori.gif --frames 80
  chasles collide tori --picture lines.png --style lines --size 2400x1600
  chasles collide tori --gltf tori.glb
  chasles collide fold --first
  chasles collide cubes --first --json - | jq '.pairs[].contacts[0].time'
  chasles collide tori --method screen --pixels 24 --min-properness -0.1
  chasles collide tori --method screen --picture screen.svg --screen
  chasles collide housing --method path --precision 1e-9
  chasles collide drill --method path --cover 0.02 --first

The screen is approximate, and on most bodies slower than the exact method: `chasles docs screen` \
says what it finds and when to use it. It always looks for facing, approaching contacts only. \
Bodies that are solids, distance fields or formulas need --method path; `chasles docs path` says \
what it finds. The keys of a scene file are explained by `chasles docs scenes`; `chasles schema` \
prints them as a JSON schema.";

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  chasles compare tori
  chasles compare cubes --report cubes.html
  chasles compare soup --repeat 25 --json - | jq '.methods[] | {method, missed}'

Every method runs with its default options. What it misses and what it has in excess is counted \
against the exact method, among the contacts that the method seeks: `chasles docs compare` says \
how they are matched. Methods that do not take the scene are listed with the reason.";

pub(super) const TRACE_EXAMPLES: &str = "\
Examples:
  chasles trace trace-corner
  chasles trace trace-corner --contacts 0.001
  chasles trace trace-corridor --picture corridor.png
  chasles trace trace-level --report level.html
  chasles trace trace-corner --json - | jq '.fraction, .contact.world'
  chasles trace trace-level --picture level.png
  chasles trace trace-level --json - | jq '.moves[] | select(.on_ground).ground.tag'
  chasles trace trace-burst --json - | jq '.traces[].fraction'
  chasles trace trace-level --thickness 1e-6

A body with `moving = true` goes by `translate` and `rotate`, or by `walk` as a character does; \
all others are the world. If several bodies move, each is traced by itself. A body that starts \
in the world does not move, and is said to start solid; the status is 0 then too. `chasles docs trace` \
explains the results, `chasles docs scenes` the keys.";

pub(super) const SIMULATE_EXAMPLES: &str = "\
Examples:
  chasles simulate simulate-dominoes
  chasles simulate simulate-wall --picture wall.png --at 0.5
  chasles simulate simulate-cars --dt 0.033333 --trajectory cars.jsonl
  chasles simulate simulate-rocks --threads 1 --json - | jq .hash
  chasles simulate simulate-wall --trajectory - | jq '.bodies[0].position'
  chasles simulate simulate-crank --gltf crank.glb
  chasles simulate simulate-dominoes --report dominoes.html
  chasles simulate simulate-dominoes --picture dominoes.gif

A body is dynamic unless its `kind` says otherwise. Bodies never pass through each other, whatever \
the length of a step; the table says how much longer than real time that took. A trajectory has a \
line of JSON for each step, the first being time 0. `chasles docs simulate` explains the results, \
`chasles docs scenes` the keys.";

pub(super) const SCENES_EXAMPLES: &str = "\
Examples:
  chasles scenes
  chasles scenes --copy gear
  chasles scenes --copy all my-scenes
  chasles scenes --thumbnails pictures
  chasles scenes --json - | jq -r '.[].command'

Built-in scenes run by their names, in any folder: `chasles collide tori`. A file of that name \
comes first.";

pub(super) const SCHEMA_EXAMPLES: &str = "\
Examples:
  chasles schema > scene.schema.json
  chasles schema | jq '.\"$defs\".BodyEntry.properties | keys'";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  chasles man > chasles.1
  chasles man collide | man -l -";

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  chasles completions bash > ~/.local/share/bash-completion/completions/chasles
  chasles completions zsh > _chasles
  chasles completions fish > ~/.config/fish/completions/chasles.fish";

pub(super) const INSPECT_EXAMPLES: &str = "\
Examples:
  chasles inspect scan.ply
  chasles inspect scan.ply --json - | jq .findings
  chasles inspect scan.ply --picture scan.png
  chasles scenes --copy gear
  chasles inspect meshes/gear.obj";

pub(super) const FIELD_EXAMPLES: &str = "\
Examples:
  chasles field part.stl --cells 128 --output part.sdf
  chasles scenes --copy gear
  chasles field meshes/gear.obj --output gear.sdf

A scene has such a file as `sdf = \"part.sdf\"`, and `chasles collide --method path` asks it. The \
file states what sampling lost, and answers take it into account. Only blocks of cells near the \
surface are kept.";

pub(super) const QUERIES_EXAMPLES: &str = "\
Examples:
  chasles queries rod.vf.bin
  chasles queries *.vf.bin *.ee.bin --json - | jq '.files[] | {file, false_hits, missed}'
  chasles queries rod.ee.bin --answers answers.txt --quiet

A query is 25 numbers: x, y and z of four vertices at the start of a step, the same at its end, \
and 1 if the features touch or else 0. They are doubles of 8 bytes, lowest byte first, text (a \
query a row, or a vertex and the label a row, as decimals or fractions), or arrays of NumPy (.npy, \
.npz); the first bytes of a file tell. Names tell the kind: `.vf.` a vertex and a \
triangle, `.ee.` two edges. The status is 0 also if answers differ from labels: the counts tell.

Times are those of the decision whether a pair touches, without reading and without first times. \
Each file is passed through five times, query by query; a query counts with the median of its five \
times, less what the clock itself takes. `chasles docs queries` has more.";

pub(super) const PLAY_EXAMPLES: &str = "\
Examples:
  chasles play --page tori.html
  chasles play simulate-wall --page wall.html

Without --page the playground is served to this machine alone, until you press ctrl-c: `chasles \
play`, or `chasles play SCENE.toml --open`. `chasles docs web` has more.";

pub(super) const DEMO_EXAMPLES: &str = "\
Examples:
  chasles demo
  chasles demo --report first.html

With --open the page is shown at once.";

pub(super) const DOCS_EXAMPLES: &str = "\
Examples:
  chasles docs
  chasles docs guide
  chasles docs scenes | less";
