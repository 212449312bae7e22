import { useCallback } from 'react';
import {
  createTrustedCluster,
  type TrustedClusterItem,
  updateTrustedCluster,
} from '../../../contract/trusted-clusters.ts';
import { usePage } from '../page.tsx';
import { useYamlOf } from '../use-yaml.ts';
import { YamlDialog } from '../YamlDialog.tsx';
import { template } from './template.ts';

/** Joins a root cluster, or changes how it is trusted, as YAML. */
export function TrustDialog({
  item: root,
  refused,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly item: TrustedClusterItem | null;
  /** Why it may only be read. */
  readonly refused: string | undefined;
  readonly onDone: (root: TrustedClusterItem) => void;
  readonly onCancel: () => void;
}) {
  const { api } = usePage();
  const yaml = useYamlOf(
    useCallback(
      async () => (await import('../../../contract/resource-documents.ts')).resourceDocuments.trusted_cluster,
      [],
    ),
  );
  const save = (content: string): Promise<TrustedClusterItem> =>
    root === null
      ? api(createTrustedCluster, { body: { content } })
      : api(updateTrustedCluster, { params: { name: root.name }, body: { content } });
  return (
    <YamlDialog
      title={root?.name ?? 'New trusted cluster'}
      noun="trusted cluster"
      name={root?.name ?? null}
      before={root?.content ?? template}
      manual="trustCluster"
      above={() =>
        root === null ? (
          <p>The root is asked with the token before anything is kept.</p>
        ) : (
          <p>Of a cluster that has joined, enabled and role_map can be changed.</p>
        )
      }
      {...{ refused, ...yaml, save, onDone, onCancel }}
    />
  );
}
