import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The hub serves this build under /ui/ from its own origin, with a content security policy that allows nothing else. */
// biome-ignore lint/style/noDefaultExport: Vite asks for one
export default defineConfig({
  base: "/ui/",
  plugins: [react()],
  resolve: {
    conditions: ["browser", "module", "import", "default"],
    // Reading agent texts does not need the full table of HTML entities.
    alias: { entities: "/src/content/html-entities.ts" },
  },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "assets",
    // Nothing is inlined: the content security policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
});
