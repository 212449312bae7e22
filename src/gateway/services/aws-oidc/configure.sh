# What the gateway writes above: issuer, audience, subject, thumbprint, role, integration.
fail() {
  printf 'postern: %s\n' "$*" >&2
  exit 1
}
command -v aws > /dev/null 2>&1 || fail 'the command line of AWS is missing: run this in AWS CloudShell'

caller=$(aws sts get-caller-identity --query Arn --output text) || fail 'you are not signed in to AWS'
partition=$(printf '%s' "$caller" | cut -d: -f2)
account=$(printf '%s' "$caller" | cut -d: -f5)
host=${issuer#https://}
provider="arn:$partition:iam::$account:oidc-provider/$host"

if aws iam get-open-id-connect-provider --open-id-connect-provider-arn "$provider" > /dev/null 2>&1; then
  aws iam add-client-id-to-open-id-connect-provider --open-id-connect-provider-arn "$provider" --client-id "$audience"
else
  set -- --url "$issuer" --client-id-list "$audience"
  [ -z "$thumbprint" ] || set -- "$@" --thumbprint-list "$thumbprint"
  aws iam create-open-id-connect-provider "$@" > /dev/null
fi

trust=$(cat <<END
{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Federated":"$provider"},"Action":"sts:AssumeRoleWithWebIdentity","Condition":{"StringEquals":{"$host:aud":"$audience","$host:sub":"$subject"}}}]}
END
)
if aws iam get-role --role-name "$role" > /dev/null 2>&1; then
  aws iam update-assume-role-policy --role-name "$role" --policy-document "$trust"
else
  aws iam create-role --role-name "$role" --assume-role-policy-document "$trust" \
    --description "Used by Postern, integration $integration" --tags "Key=postern/integration,Value=$integration" > /dev/null
fi
aws iam put-role-policy --role-name "$role" --policy-name postern-discover --policy-document '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["rds:DescribeDBInstances","rds:DescribeDBClusters","ec2:DescribeInstances","ec2:DescribeSecurityGroups","ec2:DescribeInstanceConnectEndpoints","ec2:CreateInstanceConnectEndpoint","ec2:CreateTags","ec2:CreateNetworkInterface","iam:CreateServiceLinkedRole"],"Resource":"*"}]}'
arn=$(aws iam get-role --role-name "$role" --query Role.Arn --output text)
printf 'Done. Paste this into the console as the role of integration %s:\n%s\n' "$integration" "$arn"
