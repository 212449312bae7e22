import { useEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { awsRegion } from '../../../contract/aws-shapes.ts';
import { type Integration, listIntegrations } from '../../../contract/integrations.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { LinkTo, usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';

/** An account of AWS that the gateway acts in, and where in it. */
export interface AwsPlace {
  readonly integration: Integration;
  readonly region: string;
}

/** Which account, by its integration, and which region. */
export function AwsAccountStep({
  place,
  onPlace,
}: {
  readonly place: AwsPlace | null;
  readonly onPlace: (place: AwsPlace) => void;
}) {
  const { api, clusterId } = usePage();
  const [integrations, setIntegrations] = useState<readonly Integration[] | null>(null);
  const [problem, setProblem] = useState('');
  const [name, setName] = useState(place?.integration.name ?? '');
  const [region, setRegion] = useState(place?.region ?? '');
  const [tried, setTried] = useState(false);
  useEffect(() => {
    api(listIntegrations, { params: { clusterId } }).then(
      ({ items }) => {
        setIntegrations(items);
        setName(before => before || (items[0]?.name ?? ''));
      },
      (error: unknown) => setProblem(toApiError(error).message),
    );
  }, [api, clusterId]);
  const frame = useRef<HTMLDivElement>(null);
  // The fields are there once the integrations have come.
  useEffect(() => {
    if (integrations !== null) frame.current?.querySelector<HTMLElement>('select, a')?.focus();
  }, [integrations]);
  const chosen = integrations?.find(one => one.name === name);
  const fault = awsRegion.safeParse(region.trim()).success ? undefined : 'A region of AWS, such as eu-central-1';
  const isNone = integrations !== null && integrations.length === 0;
  return (
    <GuideStep
      title="Which AWS account?"
      problem={problem}
      next="Next"
      canGoOn={chosen !== undefined}
      onNext={() => {
        setTried(true);
        if (chosen && fault === undefined) onPlace({ integration: chosen, region: region.trim() });
      }}
    >
      <div ref={frame} className={styles.part}>
        <p>The gateway asks AWS as the role of an AWS OIDC integration: no key of the account is kept here.</p>
        {integrations === null && problem === '' && <Spinner />}
        {isNone && (
          <p>
            There is none yet:{' '}
            <LinkTo id="enrollIntegration" params={{ type: 'aws-oidc' }}>
              enroll an AWS account
            </LinkTo>{' '}
            and come back.
          </p>
        )}
        {integrations !== null && integrations.length > 0 && (
          <>
            <Select
              label="Integration"
              value={name}
              choices={integrations.map(one => one.name)}
              onChange={event => setName(event.target.value)}
            />
            {chosen && <p className={styles.aside}>{chosen.awsoidc.roleArn}</p>}
            <Field
              label="Region"
              tip="Such as eu-central-1"
              mono
              autoComplete="off"
              spellCheck={false}
              value={region}
              error={tried ? fault : undefined}
              onChange={event => setRegion(event.target.value)}
            />
          </>
        )}
      </div>
    </GuideStep>
  );
}
