# What the gateway writes above: role, region.
fail() {
  printf 'postern: %s\n' "$*" >&2
  exit 1
}
command -v aws > /dev/null 2>&1 || fail 'the command line of AWS is missing: run this in AWS CloudShell'
aws iam get-role --role-name "$role" > /dev/null 2>&1 || fail "there is no role $role: enroll the AWS account first"

caller=$(aws sts get-caller-identity --query Arn --output text) || fail 'you are not signed in to AWS'
place="arn:$(printf '%s' "$caller" | cut -d: -f2):ec2:$region:$(printf '%s' "$caller" | cut -d: -f5)"
# SSH alone, and no machine of another region.
aws iam put-role-policy --role-name "$role" --policy-name "postern-connect-$region" --policy-document "$(cat << END
{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["ec2:DescribeInstances","ec2:DescribeInstanceConnectEndpoints"],"Resource":"*"},{"Effect":"Allow","Action":"ec2-instance-connect:OpenTunnel","Resource":"$place:instance-connect-endpoint/*","Condition":{"NumericEquals":{"ec2-instance-connect:remotePort":"22"}}},{"Effect":"Allow","Action":"ec2-instance-connect:SendSSHPublicKey","Resource":"$place:instance/*"}]}
END
)"
printf 'Done. Go on in the console.\n'
