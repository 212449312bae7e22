import { useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { createBot } from '../../../contract/bots.ts';
import type { BodyInput } from '../../../contract/call.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { messageOf } from '../../palette/run.ts';
import { Button } from '../../ui/Button.tsx';
import { ChipField } from '../../ui/ChipField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { usePage } from '../page.tsx';
import { useRoleNames } from '../role-names.ts';
import styles from './bots.module.css';

/** How its machines prove who they are, as people call it, and what the rule of the token names. */
const ways = {
  'A secret, shown once': { method: 'token' },
  'GitHub Actions': { method: 'github', label: 'Repository', tip: 'OWNER/NAME, such as acme/shop' },
  GitLab: { method: 'gitlab', label: 'Project path', tip: 'GROUP/NAME, such as acme/shop' },
  Kubernetes: { method: 'kubernetes', label: 'Service account', tip: 'NAMESPACE:NAME, such as ci:deploy' },
} as const;
type Way = keyof typeof ways;
const isWay = (text: string): text is Way => Object.hasOwn(ways, text);

/** What the rule of the token says of whoever may join. */
function ruleOf(way: Way, named: string, issuer: string): Partial<BodyInput<typeof createBot>> {
  const { method } = ways[way];
  switch (method) {
    case 'token':
      return {};
    case 'github':
      return { join_method: method, github: { allow: [{ repository: named }] } };
    case 'gitlab':
      return { join_method: method, gitlab: { allow: [{ project_path: named }] } };
    case 'kubernetes':
      return { join_method: method, kubernetes: { oidc: { issuer }, allow: [{ service_account: named }] } };
    default:
      return method satisfies never;
  }
}

interface Made {
  readonly line: string;
  readonly expiry: string | null;
}

/** Makes a bot, and then shows the line by which its machines join. */
export function BotDialog({ onMade, onClose }: { readonly onMade: () => void; readonly onClose: () => void }) {
  const { api } = usePage();
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly string[]>([]);
  const [logins, setLogins] = useState<readonly string[]>([]);
  const [way, setWay] = useState<Way>('A secret, shown once');
  const [named, setNamed] = useState('');
  const [issuer, setIssuer] = useState('');
  const known = useRoleNames();
  const [tried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [said, setSaid] = useState<Readonly<Record<string, string>>>({});
  const [made, setMade] = useState<Made | null>(null);

  const proof = ways[way];
  const faults = {
    name: /^[a-z0-9][a-z0-9-]{0,58}$/.test(name.trim())
      ? undefined
      : 'At most 59 lower-case letters, digits and dashes',
    roles: roles.length === 0 ? 'At least one role is required' : undefined,
    named: 'label' in proof && named.trim() === '' ? `${proof.label} is required` : undefined,
    issuer: proof.method === 'kubernetes' && issuer.trim() === '' ? 'Issuer is required' : undefined,
  };
  const fault = (field: keyof typeof faults): string | undefined => said[field] ?? (tried ? faults[field] : undefined);
  const save = async (): Promise<void> => {
    setTried(true);
    setSaid({});
    if (isBusy || Object.values(faults).some(one => one !== undefined)) return;
    setBusy(true);
    setError('');
    try {
      const { line, token } = await api(createBot, {
        body: {
          name: name.trim(),
          roles: [...roles],
          traits: { logins: [...logins] },
          ...ruleOf(way, named.trim(), issuer.trim()),
        },
      });
      setMade({ line, expiry: token.expiry });
      onMade();
    } catch (problem) {
      setSaid(toApiError(problem).fields ?? {});
      setError(messageOf(problem));
    } finally {
      setBusy(false);
    }
  };

  if (made !== null)
    return (
      <Dialog
        key="made"
        title={`Bot ${name.trim()} can join`}
        size="wide"
        actions={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <div className={styles.form}>
          {made.expiry === null ? (
            <p>The line holds no secret: what the machine shows beside it is the proof. It stays as it is.</p>
          ) : (
            <p>
              It can be used once, until {made.expiry.slice(0, 16).replace('T', ' ')} UTC. Whoever has the line can join
              as the bot: it is not shown again.
            </p>
          )}
          <Snippet prefix="$" label="the line for a service" text={`${made.line} --to /var/lib/postern-bot`} />
          <p>In a job that ends:</p>
          <Snippet prefix="$" label="the line for a job" text={`${made.line} --oneshot --to bot`} />
          <p>
            <ManualLink id="addBot" />
          </p>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Add a bot"
      submit="Add"
      isDisabled={isBusy}
      problem={error}
      onSubmit={() => void save()}
      onCancel={onClose}
    >
      <Field
        label="Bot name"
        tip="It is known as bot-NAME"
        mono
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        error={fault('name')}
        onChange={event => setName(event.target.value)}
      />
      <ChipField
        label="Roles"
        tip="What the machine may do and reach"
        values={roles}
        known={known}
        error={fault('roles')}
        onChange={setRoles}
      />
      <ChipField
        label="Server logins"
        tip="Accounts on servers, such as deploy"
        values={logins}
        known={[]}
        onChange={setLogins}
      />
      <Select
        label="How its machines prove who they are"
        choices={Object.keys(ways)}
        value={way}
        onChange={event => isWay(event.target.value) && setWay(event.target.value)}
      />
      {'label' in proof && (
        <Field
          label={proof.label}
          tip={proof.tip}
          mono
          autoComplete="off"
          spellCheck={false}
          value={named}
          error={fault('named')}
          onChange={event => setNamed(event.target.value)}
        />
      )}
      {proof.method === 'kubernetes' && (
        <Field
          label="Issuer"
          tip="Of the service account tokens, such as https://oidc.example.com/id"
          mono
          autoComplete="off"
          spellCheck={false}
          value={issuer}
          error={fault('issuer')}
          onChange={event => setIssuer(event.target.value)}
        />
      )}
      <p>
        <ManualLink id="addBot" />
      </p>
    </FormDialog>
  );
}
