import { fileURLToPath } from "node:url";
import type { InlineConfig, Plugin } from "vite";

const PACKAGES = new URL("../packages/", import.meta.url);

/** Entry files of threads, which are started by file name. */
export const THREADS = {
  thread: source("recordings/src/check/thread.ts"),
  "study-thread": source("hub/src/trial/study-thread.ts"),
  "verification-thread": source("hub/src/verification-thread.ts"),
  "views-thread": source("hub/src/views/views-thread.ts"),
};

/**
 * Bundles the command with all dependencies into few files: finding and reading some 1800 modules would dominate the start. All files are
 * in one folder, so that thread files beside them and `../bin` above are found.
 */
export function commandConfig(outDir: string): InlineConfig {
  return {
    root: fileURLToPath(new URL("cli/", PACKAGES)),
    plugins: [compileAgents(), importHttpCheaply(), requireWhenUsed()],
    ssr: { noExternal: true, resolve: { conditions: ["node", "module"] } },
    build: {
      ssr: true,
      target: "node24",
      outDir,
      emptyOutDir: true,
      minify: false,
      license: { fileName: "licenses.md" },
      rolldownOptions: {
        input: { process: source("cli/src/process.ts"), ...THREADS },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  };
}

function source(path: string): string {
  return fileURLToPath(new URL(path, PACKAGES));
}

/** Writes each agent's files as JSON next to the bundle, and replaces the module that reads YAML with one that reads JSON. */
export function compileAgents(): Plugin {
  return {
    name: "compile-agents",
    enforce: "pre",
    resolveId: {
      filter: { id: /\/shipped-agents\.ts$/ },
      handler: () => source("agents/src/files/compiled-agents.ts"),
    },
    generateBundle: {
      order: "post", // Vite removes the assets that are emitted before it
      async handler() {
        // Not a static import, which Vite would bundle into this configuration.
        const { agentCards, readShippedAgent } = (await import(
          new URL("agents/src/files/shipped-agents.ts", PACKAGES).href
        )) as typeof import("../packages/agents/src/files/shipped-agents.ts");
        this.emitFile({ type: "asset", fileName: "agents/cards.json", source: JSON.stringify(agentCards()) });
        for (const { slug } of agentCards())
          this.emitFile({ type: "asset", fileName: `agents/${slug}.json`, source: JSON.stringify(readShippedAgent(slug)) });
      },
    },
  };
}

/**
 * Importing `node:http` evaluates all its exports, including `WebSocket`, which loads Node's whole `fetch`: 30 ms of every start, and
 * memory. Requiring it does not.
 */
function importHttpCheaply(): Plugin {
  const names = ["Agent", "createServer", "get", "IncomingMessage", "request", "Server", "ServerResponse", "STATUS_CODES"];
  return {
    name: "import-http-cheaply",
    enforce: "pre",
    resolveId: {
      filter: { id: /^node:http$/ },
      handler: (_id, _importer, { kind }) => (kind === "import-statement" ? "\0cheap-http" : undefined),
    },
    load: {
      filter: { id: /^\0cheap-http$/ },
      handler: () => `export const { ${names.join(", ")} } = process.getBuiltinModule("node:http");`,
    },
  };
}

/** Fastify and ws load these eagerly although they are rarely used: 20 ms of every start. */
function requireWhenUsed(): Plugin {
  return {
    name: "require-when-used",
    enforce: "pre",
    resolveId: {
      filter: { id: /^(node:)?(http2|https|tls)$/ },
      handler: (id, _importer, { kind }) => (kind === "require-call" ? `\0when-used:${id.replace("node:", "")}.cjs` : undefined),
    },
    load: {
      filter: { id: /^\0when-used:/ },
      handler: (id) => {
        const name = JSON.stringify(`node:${id.slice("\0when-used:".length, -".cjs".length)}`);
        return `module.exports = new Proxy({}, { get: (_, key) => process.getBuiltinModule(${name})[key] });`;
      },
    },
  };
}
