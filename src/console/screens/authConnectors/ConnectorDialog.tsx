import { useCallback, useState } from 'react';
import { type ConnectorKind, connectorCalls, connectorKinds } from '../../../contract/connectors.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import { Select } from '../../ui/Select.tsx';
import { usePage } from '../page.tsx';
import { useYamlOf } from '../use-yaml.ts';
import { type Restart, YamlDialog } from '../YamlDialog.tsx';
import { templates } from './templates.ts';

/** Writes a new connector or changes one, as YAML. */
export function ConnectorDialog({
  item: connector,
  refused,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly item: ResourceItem | null;
  /** Why it may only be read. */
  readonly refused: string | undefined;
  readonly onDone: (connector: ResourceItem) => void;
  readonly onCancel: () => void;
}) {
  const { api } = usePage();
  const [kind, setKind] = useState<ConnectorKind>((connector?.kind as ConnectorKind | undefined) ?? 'oidc');
  const yaml = useYamlOf(
    useCallback(async () => (await import('../../../contract/connector-documents.ts'))[kind], [kind]),
  );
  const { create, update } = connectorCalls[kind];
  const save = (content: string): Promise<ResourceItem> =>
    connector === null
      ? api(create, { body: { content } })
      : api(update, { params: { name: connector.name }, body: { content } });
  const choose = async (chosen: ConnectorKind, restart: Restart): Promise<void> => {
    if (chosen !== kind && (await restart(templates[chosen](location.origin)))) setKind(chosen);
  };
  return (
    <YamlDialog
      title={connector?.name ?? 'New auth connector'}
      noun="connector"
      name={connector?.name ?? null}
      before={connector?.content ?? templates[kind](location.origin)}
      manual="writeConnector"
      above={restart =>
        connector === null ? (
          <Select
            label="Kind"
            value={kind}
            choices={connectorKinds}
            onChange={event => void choose(event.target.value as ConnectorKind, restart)}
          />
        ) : (
          <p>Secrets are not shown: those that are left out stay as they are.</p>
        )
      }
      {...{ refused, ...yaml, save, onDone, onCancel }}
    />
  );
}
