/** A notice of the system: by the page where it may, by the service worker where phones want that. */
export function notifyTurn(title: string, body: string, tag: string): () => void {
  try {
    const notice = new Notification(title, { body, tag });
    notice.onclick = () => (window.focus(), notice.close());
    return () => notice.close();
  } catch {
    void showByWorker(title, body, tag);
    return () => void dismiss(tag);
  }
}

async function showByWorker(title: string, body: string, tag: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.showNotification(title, { body, tag, icon: "/icon-192.png" });
}

async function dismiss(tag: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const notice of (await worker?.getNotifications({ tag })) ?? []) notice.close();
}
