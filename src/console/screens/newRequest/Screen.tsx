import { useId, useState } from 'react';
import { saidOfAsking } from '../../../../commands/requests-acts.ts';
import { createAccessRequest } from '../../../contract/access-requests.ts';
import { features } from '../../../features/table.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Select } from '../../ui/Select.tsx';
import { ChoiceTable } from '../ChoiceTable.tsx';
import styles from '../choice-page.module.css';
import { ListPage } from '../ListPage.tsx';
import { useGuard, usePage } from '../page.tsx';
import { askedBy, type Choice, findChoices, type Kind, keyOf, kinds, kindTitles, toggled } from './choices.ts';

/** Chooses roles, or things that roles lead to which one may search as, and asks for them. */
export default function NewRequest() {
  const { api, clusterId, who } = usePage();
  const roles = who?.accessCapabilities.requestableRoles ?? [];
  const searches = (who?.allowedSearchAsRoles.length ?? 0) > 0;
  const offered = kinds.filter(kind => (kind === 'role' ? roles.length > 0 : searches));
  const [kind, setKind] = useState<Kind>(offered[0] ?? 'role');
  const [search, setSearch] = useState('');
  const [cart, setCart] = useState<readonly Choice[]>([]);
  const [isAsking, setAsking] = useState(false);
  useGuard(cart.length > 0 && !isAsking, 'What you chose is not asked for yet.');
  if (offered.length === 0)
    return (
      <ListPage title={features.newRequest.title}>
        <Alert kind="info">None of your roles lets you ask for access: whoever manages roles can add it.</Alert>
        <p>
          <ManualLink id="requestAccess" />
        </p>
      </ListPage>
    );
  return (
    <ListPage
      title={features.newRequest.title}
      tools={
        <div className={styles.tools}>
          <Select
            label="What to ask for"
            autoFocus
            value={kindTitles[kind]}
            choices={offered.map(one => kindTitles[one])}
            onChange={event => {
              setKind(offered.find(one => kindTitles[one] === event.target.value) ?? kind);
              setSearch('');
            }}
          />
          <SearchField
            key={kind}
            label={`Filter: ${kindTitles[kind]}`}
            placeholder="Filter"
            value={search}
            onSearch={setSearch}
            live
          />
        </div>
      }
    >
      <ChoiceTable<Choice>
        label={`${kindTitles[kind]}: what to ask for`}
        asked={`${clusterId} ${kind} ${search}`}
        find={startKey => findChoices(api, { clusterId, roles }, kind, { search, startKey })}
        nameWidth="34%"
        columns={
          kind === 'role'
            ? []
            : [
                { key: 'detail', title: kind === 'node' ? 'Logins' : 'About', draw: ({ detail }) => detail },
                { key: 'labels', title: 'Labels', draw: ({ labels }) => <Pills labels={labels} /> },
              ]
        }
        actions={{ add: 'Add', width: '120px' }}
        keyOf={keyOf}
        chosen={cart}
        onToggle={choice => setCart(before => toggled(before, choice))}
      />
      <div className={styles.bar}>
        <span role="status">{cart.length === 0 ? 'Nothing is chosen yet' : `${cart.length} chosen`}</span>
        <div className={styles.chosen}>
          <Pills labels={cart.map(({ title }) => ({ name: '', value: title }))} />
        </div>
        <ManualLink id="requestAccess" />
        <Button kind="quiet" onClick={() => setCart([])}>
          Clear
        </Button>
        <Button kind="primary" disabled={cart.length === 0} onClick={() => setAsking(true)}>
          Proceed
        </Button>
      </div>
      {isAsking && <AskPanel cart={cart} onClose={() => setAsking(false)} />}
    </ListPage>
  );
}

/** The cart once more, with how long, why, and whom it is put before. */
function AskPanel({ cart, onClose }: { readonly cart: readonly Choice[]; readonly onClose: () => void }) {
  const { api, clusterId, go, notify, who } = usePage();
  const id = useId();
  const strategy = who?.accessStrategy ?? { type: 'optional', prompt: '' };
  const [reason, setReason] = useState('');
  const [ttl, setTtl] = useState('');
  const [reviewers, setReviewers] = useState((who?.accessCapabilities.suggestedReviewers ?? []).join(', '));
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      const made = await api(createAccessRequest, {
        params: { clusterId },
        body: {
          ...askedBy(cart),
          reason: reason.trim(),
          suggestedReviewers: reviewers
            .split(',')
            .map(name => name.trim())
            .filter(name => name !== ''),
          ...(ttl.trim() !== '' && { maxDuration: ttl.trim() }),
        },
      });
      notify(saidOfAsking(made));
      go('accessRequests', {}, { request: made.id });
    } catch (problem) {
      setError(messageOf(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Ask for access"
      size="side"
      onEscape={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" form={id} disabled={isBusy}>
            Ask
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.panel}
        onSubmit={event => {
          event.preventDefault();
          void submit();
        }}
      >
        {error !== '' && <Alert>{error}</Alert>}
        <Pills labels={cart.map(({ title }) => ({ name: '', value: title }))} />
        <Field
          label={strategy.type === 'reason' ? 'Reason' : 'Reason, may stay empty'}
          tip={strategy.prompt || 'For whoever reviews it'}
          data-first
          maxLength={1000}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
        <Field
          label="How long"
          tip="Such as 2h; empty: as long as your roles allow, at most eight hours"
          mono
          autoComplete="off"
          spellCheck={false}
          value={ttl}
          onChange={event => setTtl(event.target.value)}
        />
        <Field
          label="Reviewers"
          tip="Whom it is put before, with commas between them; whoever may review it can"
          autoComplete="off"
          spellCheck={false}
          value={reviewers}
          onChange={event => setReviewers(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
