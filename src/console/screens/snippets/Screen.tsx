import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { snippetId } from '../../../../commands/snippets.ts';
import { toApiError } from '../../../client/errors.ts';
import type { ApiError } from '../../../contract/failure.ts';
import { variablesOf } from '../../../contract/snippet-text.ts';
import { deleteSnippet, listSnippets, putSnippet, type Snippet } from '../../../contract/snippets.ts';
import { features } from '../../../features/table.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import styles from './snippets.module.css';

interface Draft {
  readonly name: string;
  readonly text: string;
  readonly description: string;
  readonly enters: boolean;
  /** Names, separated by commas. */
  readonly roles: string;
}
const draftOf = (snippet?: Snippet, text = ''): Draft => ({
  name: snippet?.name ?? '',
  text: snippet?.text ?? text,
  description: snippet?.description ?? '',
  enters: snippet?.enters ?? false,
  roles: snippet?.roles.join(', ') ?? '',
});

/** One's own snippets and those of one's roles, and the small editor that they are written in. */
export default function Snippets() {
  const { api, query, notify } = usePage();
  const [snippets, setSnippets] = useState<readonly Snippet[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [chosen, setChosen] = useState('');
  const [draft, setDraft] = useState(() => draftOf(undefined, query.text));
  const textId = useId();
  const nameField = useRef<HTMLInputElement>(null);
  // Whoever came to write one begins with its name; whoever came to look keeps the keys of the page.
  const isWriting = query.new !== undefined || query.text !== undefined;
  useEffect(() => {
    if (isWriting) nameField.current?.focus();
  }, [isWriting]);
  const load = (): Promise<void> =>
    api(listSnippets).then(
      ({ snippets }) => setSnippets(snippets),
      (problem: unknown) => setError(toApiError(problem)),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, and again after each change
  useEffect(() => void load(), []);
  const open = (snippet?: Snippet): void => {
    setChosen(snippet === undefined ? '' : snippetId(snippet));
    setDraft(draftOf(snippet));
    setError(null);
  };
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  async function act(done: string, call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
      open();
      notify(done);
      await load();
    } catch (problem) {
      setError(toApiError(problem));
    }
  }
  const roles = draft.roles
    .split(',')
    .map(role => role.trim())
    .filter(role => role !== '');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void act(`Snippet ${draft.name} has been saved`, () => api(putSnippet, { body: { ...draft, roles } }));
  };
  const current = snippets.find(snippet => snippetId(snippet) === chosen);
  const blanks = variablesOf(draft.text).map(({ name }) => name);
  return (
    <ListPage
      title={features.snippets.title}
      error={error}
      says={`${snippets.length} snippets`}
      actions={
        <Button
          icon={<Plus aria-hidden="true" />}
          onClick={() => {
            open();
            nameField.current?.focus();
          }}
        >
          New snippet
        </Button>
      }
    >
      <div className={styles.both}>
        <ul className={styles.list} aria-label="Snippets">
          {snippets.length === 0 && (
            <li className={styles.quiet}>None yet: write one, and put it into a terminal by its name.</li>
          )}
          {snippets.map(snippet => (
            <li key={snippetId(snippet)}>
              <button type="button" aria-pressed={snippetId(snippet) === chosen} onClick={() => open(snippet)}>
                <strong>{snippet.name}</strong>
                <span className={styles.quiet}>
                  {snippet.isOwn ? 'own' : `shared with ${snippet.roles.join(', ')}`}
                </span>
                <code>{snippet.description || snippet.text.split('\n')[0]}</code>
              </button>
            </li>
          ))}
        </ul>
        <form
          className={styles.form}
          onSubmit={save}
          onKeyDown={event => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.currentTarget.requestSubmit();
          }}
        >
          <Field
            ref={nameField}
            label="Name"
            mono
            required
            maxLength={64}
            value={draft.name}
            onChange={event => change({ name: event.target.value })}
          />
          <label htmlFor={textId}>Text</label>
          <textarea
            id={textId}
            className={styles.text}
            required
            rows={6}
            maxLength={4096}
            spellCheck={false}
            value={draft.text}
            onChange={event => change({ text: event.target.value })}
          />
          <p className={styles.quiet}>
            {blanks.length === 0
              ? 'Blanks are written {{name}}, {{name=default}} or {{name=one|two}}.'
              : `Asked for: ${blanks.join(', ')}.`}{' '}
            <ManualLink id="snippets" />
          </p>
          <Field
            label="Description"
            maxLength={255}
            value={draft.description}
            onChange={event => change({ description: event.target.value })}
          />
          <Field
            label="Shared with roles"
            tip="Their names, separated by commas; * for everybody; none: it is yours alone"
            mono
            value={draft.roles}
            onChange={event => change({ roles: event.target.value })}
          />
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={draft.enters}
              onChange={event => change({ enters: event.target.checked })}
            />
            Press Enter behind it
          </label>
          <div className={styles.check}>
            <Button kind="primary" type="submit" disabled={current?.mayChange === false && current.name === draft.name}>
              Save
            </Button>
            {current?.mayChange && (
              <Button
                kind="danger"
                icon={<Trash2 aria-hidden="true" />}
                onClick={() =>
                  void act(`Snippet ${current.name} has been deleted`, () =>
                    api(deleteSnippet, { params: { owner: current.isOwn ? 'own' : 'shared', name: current.name } }),
                  )
                }
              >
                Delete
              </Button>
            )}
          </div>
        </form>
      </div>
    </ListPage>
  );
}
