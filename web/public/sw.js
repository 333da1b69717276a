/** Keeps the shell of the client, so that it opens at once and without a network. Games are never kept: they are the server's. */
const SHELL = "ludus-shell-1";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add("/")).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin || address.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(newestPage(request));
  // files under /assets are named by what is in them: what is kept is what would come
  else if (address.pathname.startsWith("/assets/")) event.respondWith(keptFile(request));
});

async function newestPage(request) {
  try {
    const page = await fetch(request);
    if (page.ok) (await caches.open(SHELL)).put("/", page.clone());
    return page;
  } catch {
    return (await caches.match("/")) ?? Response.error();
  }
}

async function keptFile(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const file = await fetch(request);
  if (file.ok) (await caches.open(SHELL)).put(request, file.clone());
  return file;
}

/** A notice that it is somebody's turn leads to the page that it is about. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const find = async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const page = pages.find((one) => one.url.includes(event.notification.tag)) ?? pages[0];
    return page ? page.focus() : self.clients.openWindow(`/t/${event.notification.tag}`);
  };
  event.waitUntil(find());
});
