import { ManualLink } from '../manual/ManualLink.tsx';
import { Snippet } from '../ui/Snippet.tsx';
import { usePage } from './page.tsx';

/** What an empty list of declared resources says: what belongs here, and how the first one comes. */
export function EmptyResources({ kind, file }: { readonly kind: string; readonly file: string }) {
  const { who } = usePage();
  return (
    <>
      <p>The {kind} that your roles select appear here.</p>
      {who?.userAcl.roles.create === true && (
        <>
          <p>They can be declared in YAML as well, and applied on the gateway's machine:</p>
          <Snippet prefix="$" label="the command" text={`postern resources apply ${file}`} />
          <p>
            <ManualLink id="declareResources" />
          </p>
        </>
      )}
    </>
  );
}
