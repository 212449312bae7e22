import { createLoginRule, testLoginRules, updateLoginRule } from '../../../contract/login-rule-calls.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import { usePage } from '../page.tsx';
import { useYamlOf } from '../use-yaml.ts';
import { YamlDialog } from '../YamlDialog.tsx';
import { RuleReview } from './RuleReview.tsx';
import { NEW_LOGIN_RULE } from './template.ts';

const loadSchema = async () => (await import('../../../contract/login-rule-document.ts')).loginRuleDocument;

/** Writes a new login rule or changes one, as YAML. */
export function RuleDialog({
  item: rule,
  refused,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly item: ResourceItem | null;
  /** Why it may only be read. */
  readonly refused: string | undefined;
  readonly onDone: (rule: ResourceItem) => void;
  readonly onCancel: () => void;
}) {
  const { api, who } = usePage();
  const yaml = useYamlOf(loadSchema);
  const before = rule?.content ?? NEW_LOGIN_RULE;
  const save = (content: string): Promise<ResourceItem> =>
    rule === null
      ? api(createLoginRule, { body: { content } })
      : api(updateLoginRule, { params: { name: rule.name }, body: { content } });
  return (
    <YamlDialog
      title={rule?.name ?? 'New login rule'}
      noun="login rule"
      name={rule?.name ?? null}
      manual="writeLoginRule"
      review={async content => {
        // What cannot be read is said beside the text, before anything is looked at.
        await api(testLoginRules, { body: { user: who?.userName ?? '', content } });
        return <RuleReview before={rule === null ? '' : before} after={content} />;
      }}
      {...{ before, refused, ...yaml, save, onDone, onCancel }}
    />
  );
}
