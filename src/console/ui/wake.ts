/** Calls when the network or the person comes back to this tab; the answer stops that. */
export function onWake(run: () => void): () => void {
  const shown = (): void => {
    if (document.visibilityState === 'visible') run();
  };
  addEventListener('online', run);
  document.addEventListener('visibilitychange', shown);
  return () => {
    removeEventListener('online', run);
    document.removeEventListener('visibilitychange', shown);
  };
}
