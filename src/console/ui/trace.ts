// Traces of the web (W3C Trace Context): with them a call of this page and the line that the gateway's log has of it are found together.
/** Under which the browser keeps whether telemetry is on. */
export const TELEMETRY_KEY = 'postern:enable-telemetry';

const hex = (bytes: Uint8Array): string => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');

/**
 * Answers the `traceparent` of each call: one trace as long as this page lives, another span each time; '' while telemetry is off. It starts
 * only where the local setting `enable-telemetry` is `true` as the page comes (specification section 4).
 */
export function startTrace(
  storage: Pick<Storage, 'getItem'>,
  random: (bytes: number) => Uint8Array = length => crypto.getRandomValues(new Uint8Array(length)),
): () => string {
  if (storage.getItem(TELEMETRY_KEY) !== 'true') return () => '';
  const trace = hex(random(16));
  return () => `00-${trace}-${hex(random(8))}-01`;
}
