import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// What tables, replays and those who sit down share comes as one file: a dozen small ones cost a phone more than their bytes.
const TABLE = { name: "seats", test: /src\/(parts\/(Stage|Token|Face|FacePicker|Seats|Log|Said|ClockFace)\.svelte|state\/(faces|phrases))/ };

// The built client lies inside the Python package: users of the wheel need no Node.
// `--mode site` builds the static site, in which the tables run inside the page (scripts/site).
export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  base: "/",
  build: {
    outDir: mode === "site" ? "../site" : "../src/ludus/server/static",
    emptyOutDir: true,
    manifest: mode !== "site", // the server tells each page what it will need
    target: "es2022",
    assetsInlineLimit: 0,
    cssCodeSplit: false, // one small sheet: a page waits for no second round of style
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: [TABLE] } } },
  },
  worker: { format: "es" },
  resolve: { alias: { "#tables": fileURLToPath(new URL(mode === "site" ? "src/site/page.ts" : "src/net/network.ts", import.meta.url)) } },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node", css: true },
}));
