import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The built client lies inside the Python package: users of the wheel need no Node.
export default defineConfig({
  plugins: [svelte()],
  base: "/",
  build: { outDir: "../src/ludus/server/static", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node", css: true },
});
