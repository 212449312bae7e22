import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { listLoginRules } from '../../../contract/login-rule-calls.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import { descriptionOf, items, priorityOf } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { RuleDialog } from './RuleDialog.tsx';
import { RuleTest } from './RuleTest.tsx';

/**
 * What the traits of a sign-in become. The rule that is written or changed, and the user whom the rules are tried on, are in the URL: `?new=yes`,
 * `?edit=NAME`, `?test=USER`.
 */
export default function LoginRules() {
  const page = usePage();
  const { api } = page;
  /** Null until they are here: the rule that the address names is one of them. */
  const [rules, setRules] = useState<readonly ResourceItem[] | null>(null);
  const [saved, setSaved] = useState(0);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<ResourceItem>(
        async () => {
          const found = await api(listLoginRules);
          setRules(found);
          return found;
        },
        {
          words: rule => `${rule.name} ${descriptionOf(rule)}`,
          sortBy: (rule, key) => (key === 'name' ? rule.name : Number(priorityOf(rule))),
        },
      ),
    [api],
  );
  const create = useGate('loginRules.create');
  const edit = useGate('loginRules.edit');
  const edited = rules?.find(rule => rule.name === page.query.edit);
  const isNew = page.query.new !== undefined && create.refused === undefined;
  const isMissing = rules !== null && page.query.edit !== undefined && edited === undefined;
  const tested = page.query.test ?? '';
  const close = (): void => page.setQuery({ new: undefined, edit: undefined, test: undefined });
  return (
    <>
      <PagedList<ResourceItem>
        thingOf={items.loginRule.thing}
        noun="loginRule"
        sort={{ key: 'priority', down: false }}
        fetchPage={fetchPage}
        version={saved}
        source={
          isMissing ? { status: 'success', error: { message: `There is no login rule ${page.query.edit}` } } : undefined
        }
        rowKey={rule => rule.id}
        actions={
          <>
            <CommandButton id="loginRules.test">Test on a user…</CommandButton>
            <CommandButton id="loginRules.create" kind="primary" icon={<Plus aria-hidden="true" />} />
          </>
        }
        columns={[
          {
            key: 'name',
            title: 'Name',
            sorts: true,
            mono: true,
            width: '28%',
            phone: 'first',
            draw: rule => rule.name,
          },
          { key: 'priority', title: 'Priority', sorts: true, width: '110px', phone: 'hidden', draw: priorityOf },
          { key: 'description', title: 'Description', phone: 'second', draw: descriptionOf },
        ]}
        empty={
          <p>
            Login rules say what the traits of a sign-in become, from the lowest priority to the highest. Without one
            they stay what the provider, or an administrator, has said.
          </p>
        }
      />
      {tested !== '' && (
        <Dialog
          title={`Login rules on ${tested}`}
          onEscape={close}
          actions={
            <Button autoFocus onClick={close}>
              Close
            </Button>
          }
        >
          <RuleTest user={tested} />
        </Dialog>
      )}
      {(isNew || edited !== undefined) && (
        <RuleDialog
          key={edited?.id ?? ''}
          rule={edited ?? null}
          refused={edited === undefined ? undefined : edit.refused}
          onCancel={close}
          onDone={rule => {
            close();
            page.notify(`The login rule ${rule.name} has been saved`);
            setSaved(times => times + 1);
          }}
        />
      )}
    </>
  );
}
