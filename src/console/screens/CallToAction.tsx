import { callsToAction, captureEvent, captureEvents } from '../../contract/capture.ts';
import { ButtonLink } from '../ui/ButtonLink.tsx';
import { usePage } from './page.tsx';

/** The way to something that this cluster's plan does not have: the sales page, or whom to ask where the gateway names none. */
export function CallToAction({ about }: { readonly about: keyof typeof callsToAction }) {
  const { api, config } = usePage();
  if (config.salesUrl === undefined) return <p>Whoever runs this cluster can change its plan.</p>;
  return (
    <ButtonLink
      href={config.salesUrl}
      onClick={() => {
        // Fire and forget (specification section 7): the sales page must not wait for it.
        api(captureEvent, { body: { event: captureEvents.callToAction, eventData: callsToAction[about] } }).catch(
          () => undefined,
        );
      }}
    >
      Contact sales
    </ButtonLink>
  );
}
