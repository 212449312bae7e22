import { Plus } from 'lucide-react';
import { useState } from 'react';
import { features } from '../../../features/table.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Select } from '../../ui/Select.tsx';
import choicePage from '../choice-page.module.css';
import { ListPage } from '../ListPage.tsx';
import { useGuard, usePage } from '../page.tsx';
import { LockPanel } from './LockPanel.tsx';
import styles from './new-lock.module.css';
import { Targets } from './Targets.tsx';
import { type Kind, kinds, kindTitle, readTarget, type Target, toggled, wordsOf } from './targets.ts';

/** Chooses what to lock, of one kind or several, and locks it. The address may name the first: `?target=user:alice`. */
export default function NewLock() {
  const { query } = usePage();
  const [targets, setTargets] = useState(() => readTarget(query));
  const [kind, setKind] = useState<Kind>((targets[0]?.kind as Kind | undefined) ?? 'user');
  const [search, setSearch] = useState('');
  const [typed, setTyped] = useState('');
  const [isReviewed, setReviewed] = useState(targets.length > 0);
  useGuard(targets.length > 0, 'What you chose is not locked yet.');
  const toggle = (target: Target): void => setTargets(before => toggled(before, target));
  const login = typed.trim();
  return (
    <ListPage
      title={features.newLock.title}
      tools={
        <div className={choicePage.tools}>
          <Select
            label="What to lock"
            autoFocus
            value={kindTitle(kind)}
            choices={kinds.map(kindTitle)}
            onChange={event => {
              setKind(kinds.find(one => kindTitle(one) === event.target.value) ?? 'user');
              setSearch('');
            }}
          />
          {kind !== 'login' && (
            <SearchField
              key={kind}
              label={`Filter: ${kindTitle(kind)}`}
              placeholder="Filter"
              value={search}
              onSearch={setSearch}
              live
            />
          )}
        </div>
      }
    >
      {kind === 'login' ? (
        <form
          className={styles.login}
          onSubmit={event => {
            event.preventDefault();
            if (login === '') return;
            if (!targets.some(one => one.kind === 'login' && one.name === login))
              toggle({ kind: 'login', name: login, title: login });
            setTyped('');
          }}
        >
          <Field
            label="Login"
            tip="An account on servers or desktops, such as root: nobody gets a session with it"
            mono
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          <Button type="submit" icon={<Plus aria-hidden="true" />} disabled={login === ''}>
            Add target
          </Button>
        </form>
      ) : (
        <Targets kind={kind} search={search} chosen={targets} onToggle={toggle} />
      )}
      <div className={choicePage.bar}>
        <span role="status">
          {targets.length === 0
            ? 'Nothing is chosen yet'
            : `${targets.length} ${targets.length === 1 ? 'target' : 'targets'}`}
        </span>
        <div className={choicePage.chosen}>
          <Pills labels={targets.map(target => ({ name: '', value: wordsOf(target) }))} />
        </div>
        <ManualLink id="lock" />
        {/* Never disabled: it would take the focus with it when it has done its work. */}
        <Button kind="quiet" onClick={() => setTargets([])}>
          Clear
        </Button>
        <Button kind="primary" disabled={targets.length === 0} onClick={() => setReviewed(true)}>
          Proceed
        </Button>
      </div>
      {isReviewed && <LockPanel targets={targets} onTargets={setTargets} onClose={() => setReviewed(false)} />}
    </ListPage>
  );
}
