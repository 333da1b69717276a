import { mount } from "svelte";
import "@fontsource/fredoka/latin-600.css";
import "./look.css";
import App from "./App.svelte";

export default mount(App, { target: document.getElementById("app")! });

// only where the page is built: a development server has no shell to keep, and the static site keeps itself (site/page.ts)
if (import.meta.env.MODE === "production" && "serviceWorker" in navigator) addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined));
