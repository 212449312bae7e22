/** What a new trusted cluster begins with: valid but for its token, which only the root gives. */
export const template = `kind: trusted_cluster
version: v2
metadata:
  # The name of the root cluster.
  name: root.example.com
spec:
  enabled: true
  # From the root: Let a machine join… for leaf clusters.
  token: ''
  tunnel_addr: root.example.com:3023
  web_proxy_addr: root.example.com:443
  role_map:
    - remote: access
      local: [access]
`;
