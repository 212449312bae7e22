// Lines that make people's own tools use a port which leads to the API of a cloud.
import type { CloudProvider } from '../contract/cloud-applications.ts';

/** What each line is for, and the line. `at`: scheme, host and port, such as http://127.0.0.1:8400. */
export function cloudLines(
  provider: CloudProvider,
  at: string,
): readonly { readonly title: string; readonly label: string; readonly text: string }[] {
  if (provider === 'azure') {
    const url = `'${at}/management.azure.com/subscriptions?api-version=2022-12-01'`;
    return [
      {
        title: 'The Azure CLI, which sends no token of its own then',
        label: 'the line for az',
        text: `az rest --skip-authorization-header --url ${url}`,
      },
      { title: 'Any other client', label: 'the line for curl', text: `curl ${url}` },
    ];
  }
  return [
    {
      title: 'The Google Cloud CLI, for each API that it is to use',
      label: 'the line for gcloud',
      text: `export CLOUDSDK_AUTH_DISABLE_CREDENTIALS=true CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE=${at}/compute.googleapis.com/compute/v1/`,
    },
    {
      title: 'Any other client',
      label: 'the line for curl',
      text: `curl '${at}/storage.googleapis.com/storage/v1/b?project=PROJECT'`,
    },
  ];
}
