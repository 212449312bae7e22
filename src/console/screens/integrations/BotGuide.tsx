import { useEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { createBot } from '../../../contract/bots.ts';
import type { BodyInput } from '../../../contract/call.ts';
import { createRole } from '../../../contract/roles.ts';
import { type BotGuideId, botGuides } from '../../../features/bot-guides.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { usePage } from '../page.tsx';
import styles from './integrations.module.css';
import { useEnrolment } from './use-enrolment.ts';

const wordsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(word => word !== ''))];

/** A role for the bot alone: the servers of these labels, with its own logins. JSON is YAML as well. */
const roleOf = (bot: string, labels: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    kind: 'role',
    version: 'v7',
    metadata: { name: `bot-${bot}`, description: `What bot ${bot} may reach` },
    spec: { allow: { logins: ['{{internal.logins}}'], node_labels: labels } },
  });
const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    wordsIn(text).map(word => {
      const [name = '', ...value] = word.split('=');
      return [name, value.join('=') || '*'];
    }),
  );

interface Made {
  readonly token: string;
  readonly line: string;
}

/** Gives a pipeline or a machine an identity: a role, a bot and a token that only it can join with, and the file that it needs. */
export function BotGuide({ kind }: { readonly kind: BotGuideId }) {
  const { api, go, who, config, clusterId } = usePage();
  const guide = botGuides[kind];
  const enrolled = useEnrolment(kind);
  const [name, setName] = useState('');
  const [project, setProject] = useState('');
  const [roles, setRoles] = useState('');
  const [labels, setLabels] = useState('*=*');
  const [logins, setLogins] = useState('');
  const [made, setMade] = useState<Made | null>(null);
  const [error, setError] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const done = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (made !== null) done.current?.focus();
  }, [made]);

  const rules = (): Partial<BodyInput<typeof createBot>> =>
    guide.method === 'github'
      ? { join_method: 'github', github: { allow: [{ repository: project.trim() }] } }
      : guide.method === 'gitlab'
        ? { join_method: 'gitlab', gitlab: { allow: [{ project_path: project.trim() }] } }
        : {};
  const make = async (): Promise<void> => {
    setError('');
    setErrors({});
    const bot = name.trim();
    const given = wordsIn(roles);
    try {
      if (guide.project && project.trim() === '') {
        setErrors({ project: `${guide.project.label} is required` });
        return;
      }
      if (given.length === 0) await api(createRole, { body: { content: roleOf(bot, labelsIn(labels)) } });
      const answer = await api(createBot, {
        body: {
          name: bot,
          roles: given.length === 0 ? [`bot-${bot}`] : given,
          traits: { logins: wordsIn(logins) },
          ...rules(),
        },
      });
      enrolled();
      setMade({ token: answer.token.id, line: answer.line });
    } catch (problem) {
      setErrors(toApiError(problem).fields ?? {});
      setError(messageOf(problem));
    }
  };

  if (made !== null) {
    const [gateway = ''] = / --gateway (\S+)/.exec(made.line)?.slice(1) ?? [];
    const [login = 'LOGIN'] = wordsIn(logins);
    const cluster = config.proxyCluster || clusterId;
    const file = guide.file({ gateway, cluster, token: made.token, login });
    return (
      <div className={`${styles.form} ${styles.page}`}>
        <h2 ref={done} tabIndex={-1}>
          Bot {name.trim()} can join
        </h2>
        {guide.method === 'token' && (
          <>
            <p>
              Run this once on the machine, within an hour; whoever has it can join as the bot. It is not shown again.
            </p>
            <Snippet prefix="$" label="the line" text={`${made.line} --to /var/lib/postern-bot`} />
          </>
        )}
        <p>{guide.place}</p>
        <Snippet label="the file" text={file} />
        <p>
          <ManualLink id="addBot" />
        </p>
        <div className={styles.buttons}>
          <Button kind="primary" onClick={() => go('users')}>
            Done
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form
      className={`${styles.form} ${styles.page}`}
      onSubmit={event => {
        event.preventDefault();
        void make();
      }}
    >
      {error !== '' && <Alert>{error}</Alert>}
      <Field
        label="Bot name"
        autoFocus
        mono
        error={errors.name}
        tip="Lower-case letters, digits and dashes: it is known as bot-NAME"
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      {guide.project && (
        <Field
          label={guide.project.label}
          mono
          error={errors.project}
          tip={guide.project.tip}
          autoComplete="off"
          spellCheck={false}
          value={project}
          onChange={event => setProject(event.target.value)}
        />
      )}
      <Field
        label="Logins on servers"
        mono
        tip="Separated by commas, such as deploy"
        autoComplete="off"
        spellCheck={false}
        value={logins}
        onChange={event => setLogins(event.target.value)}
      />
      <Field
        label="Roles"
        mono
        error={errors.roles}
        tip="Separated by commas; nothing: a new role for this bot alone"
        help="What the bot may do is what its roles allow, as with people. A new role allows the logins above on servers of the labels below, and nothing else."
        autoComplete="off"
        spellCheck={false}
        disabled={who === null}
        value={roles}
        onChange={event => setRoles(event.target.value)}
      />
      {wordsIn(roles).length === 0 && (
        <Field
          label="Servers with these labels"
          mono
          tip="Of the new role: env=prod, team=web; *=* is every server"
          autoComplete="off"
          spellCheck={false}
          value={labels}
          onChange={event => setLabels(event.target.value)}
        />
      )}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit">
          Make the bot
        </Button>
        <Button onClick={() => go('enrollIntegration')}>Back</Button>
      </div>
    </form>
  );
}
