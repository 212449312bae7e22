import { Plus } from 'lucide-react';
import { listLoginRules } from '../../../contract/login-rule-calls.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import { descriptionOf, items, priorityOf } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useWritten, type Written } from '../use-written.ts';
import { RuleDialog } from './RuleDialog.tsx';
import { RuleTest } from './RuleTest.tsx';

const written: Written<ResourceItem> = {
  one: 'login rule',
  commands: 'loginRules',
  list: api => api(listLoginRules),
  words: rule => `${rule.name} ${descriptionOf(rule)}`,
  sortBy: (rule, key) => (key === 'name' ? rule.name : Number(priorityOf(rule))),
};

/**
 * What the traits of a sign-in become. The rule that is written or changed, and the user whom the rules are tried on, are in the URL: `?new=yes`,
 * `?edit=NAME`, `?test=USER`.
 */
export default function LoginRules() {
  const page = usePage();
  const { listed, editor } = useWritten(written);
  const tested = page.query.test ?? '';
  const close = (): void => page.setQuery({ test: undefined });
  return (
    <>
      <PagedList<ResourceItem>
        thingOf={items.loginRule.thing}
        noun="loginRule"
        sort={{ key: 'priority', down: false }}
        {...listed}
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
      {editor !== null && <RuleDialog key={editor.key} {...editor.props} />}
    </>
  );
}
