import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The hub serves what is built here under /ui/, from its own origin, with a policy that allows nothing else. */
// biome-ignore lint/style/noDefaultExport: Vite asks for one
export default defineConfig({
  base: "/ui/",
  plugins: [react()],
  resolve: {
    conditions: ["browser", "module", "import", "default"],
    // The whole table of names that HTML has is not needed to read what agents write.
    alias: { entities: "/src/content/html-entities.ts" },
  },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "assets",
    // Nothing is put into the page itself: its policy forbids that.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
});
