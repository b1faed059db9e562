import { posix } from "node:path";
import { parseSync, Visitor } from "vite";

/**
 * Which layer may import which. A source file belongs to the longest place that contains it; places are paths below `packages` without
 * `src`. A file may import its own layer, the layers named here and the npm packages named here, in lists separated by spaces. A layer
 * inside a package may also import the npm packages that the package's first row names. Tests and `testing` folders are exempt.
 */
interface Layer {
  readonly places: string;
  readonly layers?: string;
  readonly packages?: string;
  readonly reason: string;
}

const PURE = "This layer is pure and runs in browsers: no node: modules, no I/O.";
const HUB_ROOM_RULE = "A room of the hub knows the rooms an event passes before it. Only hub.ts and wiring/ know all rooms.";

// biome-ignore format: one row per layer, in columns
export const LAYERS: readonly Layer[] = [
  { places: "protocol", packages: "typebox", reason: `${PURE} It depends on no other package of ours.` },
  { places: "protocol/activities", layers: "protocol", reason: PURE },
  { places: "aaep", packages: "@earshot/protocol jose", reason: `${PURE} What needs Node is in src/node.` },
  { places: "aaep/node aaep/node.ts aaep/local-socket.ts", layers: "aaep", packages: "node: ws", reason: "It depends on no hub and no SDK." },
  { places: "agents", packages: "@earshot/policy @earshot/protocol typebox yaml", reason: `${PURE} What reads files is in src/files.` },
  { places: "agents/files agents/files.ts", layers: "agents", packages: "node:", reason: "It depends on no hub." },
  { places: "policy", packages: "@earshot/protocol re2js unbash yaml", reason: `${PURE} A hook loads it in milliseconds: no hub, no schemas.` },
  { places: "narrate", packages: "@earshot/aaep @earshot/protocol diff", reason: `${PURE} Surfaces render what it describes.` },
  { places: "announcer", packages: "@earshot/aaep @earshot/narrate @earshot/protocol", reason: `${PURE} It takes what a hub tells in shapes of its own.` },
  { places: "judge", packages: "@earshot/protocol", reason: PURE },
  { places: "sdk", packages: "@earshot/aaep @earshot/protocol", reason: `${PURE} What needs Node is in src/node.` },
  { places: "sdk/browser sdk/browser.ts", layers: "sdk", reason: PURE },
  { places: "sdk/node sdk/index.ts", layers: "sdk", packages: "node:", reason: "The SDK meets the hub on the wire, and Node programs load no browser code." },
  { places: "dashboard", packages: "@earshot/announcer @earshot/hub @earshot/narrate @earshot/policy @earshot/protocol @noble/hashes @tanstack/react-virtual markdown-it react react-dom uplot", reason: "The dashboard runs in a browser." },
  { places: "cli", packages: "@earshot/aaep @earshot/agents @earshot/announcer @earshot/hub @earshot/narrate @earshot/policy @earshot/protocol @earshot/recordings @earshot/terminal jsonc-parser node: uqr yaml", reason: "Packages meet through their names, not through their folders." },
  { places: "terminal", packages: "@earshot/narrate @earshot/protocol node:", reason: "It knows no command." },
  { places: "recordings", packages: "@earshot/aaep @earshot/hub @earshot/narrate @earshot/protocol @earshot/terminal node:", reason: "It knows no command, and commands import its public functions only." },

  { places: "hub", layers: "hub/access hub/ledger hub/ledger/sqlite", packages: "@earshot/aaep @earshot/agents @earshot/judge @earshot/narrate @earshot/policy @earshot/protocol fastify node: typebox ws yaml", reason: "Files beside hub.ts are shared by all rooms." },
  { places: "hub/ledger", layers: "hub hub/ledger/sqlite", packages: "pg", reason: "The ledger knows no room above it." },
  { places: "hub/ledger/sqlite", layers: "hub hub/ledger", reason: "The ledger knows no room above it." },
  { places: "hub/cluster", layers: "hub hub/ledger", reason: HUB_ROOM_RULE },
  { places: "hub/access", layers: "hub hub/cluster", reason: HUB_ROOM_RULE },
  { places: "hub/metrics", layers: "hub", reason: HUB_ROOM_RULE },
  { places: "hub/intake", layers: "hub hub/ledger hub/metrics", reason: `${HUB_ROOM_RULE} Intake knows the ledger's contract, not SQLite.` },
  { places: "hub/policy", layers: "hub hub/ledger", reason: `${HUB_ROOM_RULE} Rules know nothing of requests.` },
  { places: "hub/requests", layers: "hub hub/cluster hub/intake hub/ledger hub/policy", reason: `${HUB_ROOM_RULE} Requests know the ledger's contract, not SQLite.` },
  { places: "hub/live", layers: "hub/ledger", reason: `${HUB_ROOM_RULE} Live streams follow the ledger alone.` },
  { places: "hub/views", layers: "hub hub/ledger hub/ledger/sqlite", reason: `${HUB_ROOM_RULE} Views follow the ledger alone.` },
  { places: "hub/keeping", layers: "hub hub/intake hub/ledger hub/ledger/sqlite hub/views", reason: HUB_ROOM_RULE },
  { places: "hub/notify", layers: "hub hub/policy hub/requests", reason: HUB_ROOM_RULE },
  { places: "hub/trial", layers: "hub hub/hooks hub/policy hub/requests hub/ledger hub/ledger/sqlite", reason: HUB_ROOM_RULE },
  { places: "hub/hooks", layers: "hub hub/policy hub/requests hub/intake hub/ledger", reason: HUB_ROOM_RULE },
  { places: "hub/aaep", layers: "hub hub/policy hub/requests hub/intake hub/ledger hub/views", reason: HUB_ROOM_RULE },
  { places: "hub/attach", layers: "hub hub/policy hub/requests hub/intake hub/ledger", reason: HUB_ROOM_RULE },
  { places: "hub/http", layers: "hub hub/aaep hub/access hub/attach hub/cluster hub/policy hub/requests hub/live hub/hooks hub/intake hub/keeping hub/ledger hub/metrics hub/notify hub/trial hub/views", reason: `${HUB_ROOM_RULE} HTTP knows no SQLite.` },
  { places: "hub/settings", layers: "hub hub/access hub/http hub/live hub/intake hub/keeping hub/views", reason: HUB_ROOM_RULE },
  { places: "hub/wiring hub/hub.ts hub/hub-options.ts hub/index.ts hub/hook.ts", layers: "hub hub/aaep hub/access hub/attach hub/cluster hub/policy hub/requests hub/http hub/live hub/hooks hub/intake hub/keeping hub/ledger hub/ledger/sqlite hub/metrics hub/notify hub/settings hub/trial hub/views", reason: "Packages meet through their names, and only tests import testing folders." },
];

export const words = (list = "") => list.split(" ").filter((word) => word !== "");
export const isExempt = (path: string) => /\.(test|scenario|browser|deep|contract)\.tsx?$|\/testing\//.test(path);
const packageOf = (place: string) => LAYERS.find(({ places }) => places === place.split("/")[0]);

/** The layer of a path such as `packages/hub/src/ledger/x.ts`; undefined for files outside of packages' sources. */
export function layerOf(path: string): Layer | undefined {
  const place = path.replace(/^packages\/([^/]+)\/src\//, "$1/");
  if (place === path) return;
  const depth = ({ places }: Layer) =>
    Math.max(0, ...words(places).map((one) => (one === place || place.startsWith(`${one}/`) ? one.length : 0)));
  return LAYERS.filter((layer) => depth(layer) > 0).sort((a, b) => depth(b) - depth(a))[0];
}

function mayImport(from: Layer, path: string, name: string): boolean {
  if (name.startsWith(".")) {
    const target = posix.join(posix.dirname(path), name);
    const to = layerOf(target);
    return to !== undefined && !isExempt(target) && (to === from || words(from.layers).includes(words(to.places)[0] ?? ""));
  }
  return [...words(packageOf(from.places)?.packages), ...words(from.packages)].some(
    (one) => name === one || name.startsWith(one.endsWith(":") ? one : `${one}/`),
  );
}

/** Every module a source names, with the line: imports and exports from it, `import()` and `import("…").Type`. */
function importsOf(path: string, source: string): readonly { readonly name: string; readonly line: number }[] {
  const found: { name: string; line: number }[] = [];
  const see = ({ source: from }: { readonly source: { readonly start: number; readonly value?: unknown } | null }) => {
    if (typeof from?.value === "string") found.push({ name: from.value, line: source.slice(0, from.start).split("\n").length });
  };
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const visitor = {
    ImportDeclaration: see,
    ExportAllDeclaration: see,
    ExportNamedDeclaration: see,
    ImportExpression: see,
    TSImportType: see,
  };
  new Visitor(visitor).visit(program);
  return found;
}

/** One sentence per import that the layer of `path` does not allow. */
export function faultsIn(path: string, source: string): readonly string[] {
  const layer = layerOf(path);
  if (layer === undefined) return [`${path} is in no layer: add its folder to the table in tools/layers.ts.`];
  return importsOf(path, source)
    .filter(({ name }) => !mayImport(layer, path, name))
    .map(({ name, line }) => `${path}:${line} imports ${name}. ${layer.reason}`);
}
