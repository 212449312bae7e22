Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
Import-Module ActiveDirectory
Import-Module GroupPolicy

$accountName = 'postern-reader'
$policyName = 'Remote Desktop for Postern'
$domain = Get-ADDomain
$controller = $domain.PDCEmulator

Write-Host "An account that reads the directory of $($domain.DNSRoot): $accountName"
$bytes = New-Object byte[] 24
$random = [Security.Cryptography.RandomNumberGenerator]::Create()
$random.GetBytes($bytes)
$random.Dispose()
# With its last characters it has all that a policy of passwords may ask for.
$password = [Convert]::ToBase64String($bytes) + 'aA1!'
$secret = ConvertTo-SecureString -String $password -AsPlainText -Force
$account = Get-ADUser -Filter "SamAccountName -eq '$accountName'" -Server $controller
if ($null -eq $account) {
    $account = New-ADUser -Name $accountName -SamAccountName $accountName -AccountPassword $secret -Enabled $true `
        -PasswordNeverExpires $true -CannotChangePassword $true -Description 'Reads computers for Postern' `
        -Server $controller -PassThru
} else {
    Set-ADAccountPassword -Identity $account -Reset -NewPassword $secret -Server $controller
    Enable-ADAccount -Identity $account -Server $controller
}

Write-Host "A group policy that lets computers of the domain take RDP with NLA and TLS: $policyName"
$policy = Get-GPO -All -Server $controller | Where-Object { $_.DisplayName -eq $policyName }
if ($null -eq $policy) {
    $policy = New-GPO -Name $policyName -Server $controller
}
$services = 'HKLM\SOFTWARE\Policies\Microsoft\Windows NT\Terminal Services'
foreach ($value in @(
        @{ Name = 'fDenyTSConnections'; Value = 0 },
        @{ Name = 'UserAuthentication'; Value = 1 },
        @{ Name = 'SecurityLayer'; Value = 2 },
        @{ Name = 'MinEncryptionLevel'; Value = 3 }
    )) {
    Set-GPRegistryValue -Name $policyName -Key $services -ValueName $value.Name -Type DWord -Value $value.Value `
        -Server $controller | Out-Null
}
Set-GPRegistryValue -Name $policyName -Key 'HKLM\SOFTWARE\Policies\Microsoft\WindowsFirewall\FirewallRules' `
    -ValueName 'Postern-RDP' -Type String -Server $controller `
    -Value 'v2.26|Action=Allow|Active=TRUE|Dir=In|Protocol=6|LPort=3389|Name=Remote Desktop for Postern|' | Out-Null
$links = (Get-GPInheritance -Target $domain.DistinguishedName -Server $controller).GpoLinks
if (-not ($links | Where-Object { $_.DisplayName -eq $policyName })) {
    New-GPLink -Name $policyName -Target $domain.DistinguishedName -LinkEnabled Yes -Server $controller | Out-Null
}

Write-Host "The certificate by which $controller is known"
$client = New-Object Net.Sockets.TcpClient
try {
    $client.Connect($controller, 636)
} catch {
    throw "$controller takes no connections at port 636 (LDAPS): it has no certificate. A certification authority of the domain gives it one (install-ad-cs.ps1)."
}
# Whoever runs this is on the domain's own network, and says with what it prints which certificate is meant.
$stream = New-Object Net.Security.SslStream($client.GetStream(), $false, { $true })
$stream.AuthenticateAsClient($controller)
$shown = New-Object Security.Cryptography.X509Certificates.X509Certificate2($stream.RemoteCertificate)
$stream.Dispose()
$client.Close()
$chain = New-Object Security.Cryptography.X509Certificates.X509Chain
$chain.ChainPolicy.RevocationMode = [Security.Cryptography.X509Certificates.X509RevocationMode]::NoCheck
$chain.Build($shown) | Out-Null
$authority = $chain.ChainElements[$chain.ChainElements.Count - 1].Certificate
$certificate = @(
    '-----BEGIN CERTIFICATE-----'
    [Convert]::ToBase64String($authority.RawData, [Base64FormattingOptions]::InsertLineBreaks)
    '-----END CERTIFICATE-----'
) -join "`n"
$certificate = $certificate.Replace("`r", '') + "`n"

# A scalar of JSON is one of YAML, whatever stands in it.
function ConvertTo-Scalar([string]$Text) { ConvertTo-Json -InputObject $Text -Compress }

Write-Host ''
Write-Host "Paste what follows into the console of $cluster, where it asks for the directory: the account's password stands in it."
Write-Host "Or keep it as discovery.yaml, apply it to the gateway, and delete it:"
Write-Host "    postern resources apply discovery.yaml"
Write-Host ''
Write-Output @"
kind: discovery_config
version: v1
metadata:
  name: $(ConvertTo-Scalar ($domain.DNSRoot.ToLowerInvariant()))
spec:
  ldap:
    address: $(ConvertTo-Scalar ($controller + ':636'))
    ca_cert: $(ConvertTo-Scalar $certificate)
    bind_name: $(ConvertTo-Scalar $account.DistinguishedName)
    password: $(ConvertTo-Scalar $password)
    base: $(ConvertTo-Scalar $domain.DistinguishedName)
"@
