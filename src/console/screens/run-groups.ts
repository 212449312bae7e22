// What servers of a run have in common: those that printed the same and ended alike stand together.

/** A server of a run. */
export interface RunServer {
  readonly id: string;
  readonly hostname: string;
  readonly login: string;
  /** '' until it runs there. */
  readonly sid: string;
  /** Undefined: it has not ended. */
  readonly end?: { readonly code: number | null; readonly signal: string | null; readonly error: string };
  /** What it printed so far, to both places. */
  readonly text: string;
}
export interface RunGroup {
  readonly servers: readonly RunServer[];
  readonly text: string;
  /** How they ended, in words; '' = with 0. */
  readonly how: string;
}

/** How a server ended, in words; '' = with 0. */
function endWords({ end }: RunServer): string {
  if (!end || end.code === 0) return '';
  if (end.code !== null) return `exit ${end.code}`;
  return end.signal === null ? end.error || 'no status' : `ended by ${end.signal}`;
}
export const hasFailed = (server: RunServer): boolean => server.end !== undefined && endWords(server) !== '';

/** Servers that have ended, the largest group first; of groups of one size, the one that ended well. */
export function groupsOf(servers: readonly RunServer[]): readonly RunGroup[] {
  const ended = servers.filter(({ end }) => end !== undefined);
  const groups = Map.groupBy(ended, server => `${endWords(server)}\n${server.text}`);
  return [...groups.values()]
    .map(same => ({ servers: same, text: same[0]?.text ?? '', how: same[0] ? endWords(same[0]) : '' }))
    .toSorted(
      (one, other) => other.servers.length - one.servers.length || Number(one.how !== '') - Number(other.how !== ''),
    );
}

/** All output as one text, each server under its name. */
export const outputsText = (servers: readonly RunServer[]): string =>
  servers
    .map(server => {
      const how = server.end ? endWords(server) || 'exit 0' : 'not ended';
      return `${server.hostname} (${server.login}, ${how})\n${server.text.replace(/\n$/, '')}\n`;
    })
    .join('\n');
