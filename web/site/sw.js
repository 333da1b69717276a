/** Keeps the whole site, so that it plays without a network. FILES and VERSION are written by scripts/site. */
const VERSION = "__VERSION__";
const FILES = __FILES__;
const KEPT = `ludus-site-${VERSION}`;
const OF_EVERY_VERSION = ["ludus-python"]; // src/site/waking.ts

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.add("/")).then(() => self.skipWaiting()));
});

/** What the page has not asked for yet; then the site is there without a network, and the pages are told. */
self.addEventListener("message", (event) => {
  event.waitUntil(
    keepRest().then(async () => {
      for (const page of await self.clients.matchAll()) page.postMessage("kept");
    }),
  );
});

async function keepRest() {
  const cache = await caches.open(KEPT);
  const missing = await Promise.all(FILES.map(async (file) => ((await cache.match(file)) ? [] : [file])));
  await cache.addAll(missing.flat());
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT && !OF_EVERY_VERSION.includes(name)).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(answer(request));
});

/** What is kept; of addresses inside the client (/t/…) the one page that there is. */
async function answer(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request.mode === "navigate" ? "/" : request);
  if (kept) return kept;
  const file = await fetch(request);
  if (file.ok && request.mode !== "navigate") await cache.put(request, file.clone());
  return file;
}
