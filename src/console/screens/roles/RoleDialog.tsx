import type { ReactNode } from 'react';
import { previewRole } from '../../../contract/role-preview.ts';
import { createRole, type ResourceItem, updateRole } from '../../../contract/roles.ts';
import { usePage } from '../page.tsx';
import { useYamlOf } from '../use-yaml.ts';
import { YamlDialog } from '../YamlDialog.tsx';
import { RoleReview } from './RoleReview.tsx';
import { NEW_ROLE } from './template.ts';

const loadSchema = async () => (await import('./schema.ts')).roleSchema;

/** Writes a new role or changes one, as YAML. */
export function RoleDialog({
  item: role,
  refused,
  line,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly item: ResourceItem | null;
  /** Why it may only be read. */
  readonly refused: string | undefined;
  /** The line that it opens at, from 1. */
  readonly line: number | undefined;
  readonly onDone: (role: ResourceItem) => void;
  readonly onCancel: () => void;
}) {
  const { api } = usePage();
  const yaml = useYamlOf(loadSchema);
  const save = (content: string): Promise<ResourceItem> =>
    role === null
      ? api(createRole, { body: { content } })
      : api(updateRole, { params: { name: role.name }, body: { content } });
  // Nobody holds a new one: there is nothing to look at before.
  const review =
    role === null
      ? undefined
      : async (after: string): Promise<ReactNode> => {
          const first = await api(previewRole, { body: { name: role.name, content: after } });
          return <RoleReview name={role.name} before={role.content} {...{ after, first }} />;
        };
  return (
    <YamlDialog
      title={role?.name ?? 'New role'}
      noun="role"
      name={role?.name ?? null}
      before={role?.content ?? NEW_ROLE}
      manual="writeRole"
      {...{ refused, line, ...yaml, review, save, onDone, onCancel }}
    />
  );
}
