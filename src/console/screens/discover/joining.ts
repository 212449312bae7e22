// A line that lets one machine join: made once, shown once, and watched for until what it joins with is in the list.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { RESOURCE_ID_LABEL } from '../../../contract/join-tokens.ts';
import type { MadeToken } from '../../../contract/new-join-token.ts';
import type { Label } from '../../../contract/shapes.ts';
import { usePage } from '../page.tsx';
import { useArrival } from './arrival.ts';

interface Joining {
  /** The token of the line; null: none was made yet. */
  readonly made: MadeToken | null;
  /** Rejects with what the gateway says. */
  readonly make: (labels: readonly Label[]) => Promise<void>;
  readonly isLate: boolean;
  /** Why the list could not be asked the last time; '' = it could. */
  readonly problem: string;
  /** Around what is shown of the step. */
  readonly frame: RefObject<HTMLDivElement | null>;
}

/** `look`: finds by a search what has joined with this token, or null. `thing`: what has arrived already. */
export function useJoining<Thing>({
  role,
  thing,
  look,
  onArrived,
}: {
  readonly role: 'Node' | 'Db' | 'App';
  readonly thing: Thing | null;
  readonly look: (search: string, token: MadeToken) => Promise<Thing | null>;
  readonly onArrived: (thing: Thing) => void;
}): Joining {
  const { api } = usePage();
  const [made, setMade] = useState<MadeToken | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const id = made?.suggestedLabels.find(({ name }) => name === RESOURCE_ID_LABEL)?.value;
  const isAwaited = made !== null && id !== undefined && thing === null;
  const arrival = useArrival(isAwaited ? () => look(`${RESOURCE_ID_LABEL} ${id}`, made) : undefined);
  const arrived = arrival.thing;
  useEffect(() => {
    if (arrived === null) return;
    onArrived(arrived);
    // Whoever waited on this step goes on with Enter; whoever is elsewhere keeps the keys.
    const form = frame.current?.closest('form');
    if (form?.contains(document.activeElement)) form.querySelector<HTMLElement>('[data-next]')?.focus();
  }, [arrived, onArrived]);
  // The fields are gone: what comes next is copying the line.
  useEffect(() => {
    if (made !== null) frame.current?.querySelector<HTMLElement>('[aria-label="Copy the line"]')?.focus();
  }, [made]);
  return {
    made,
    async make(labels) {
      // What may prove a machine takes room to say, and whoever looks at the tiles makes no line yet.
      const { createJoinToken } = await import('../../../contract/new-join-token.ts');
      setMade(await api(createJoinToken, { body: { roles: [role], uses: 1, labels: [...labels] } }));
    },
    isLate: arrival.isLate,
    problem: arrival.problem,
    frame,
  };
}
