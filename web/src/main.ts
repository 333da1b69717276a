import { mount } from "svelte";
import "@fontsource/fredoka/latin-600.css";
import "./look.css";
import App from "./App.svelte";

export default mount(App, { target: document.getElementById("app")! });
