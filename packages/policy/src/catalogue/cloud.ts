import { DRY, DRY_OR_N, type Rows } from "./row.ts";

/** Machines elsewhere: clouds, clusters, hosts, servers. What only looks is in `harmless.ts`; `{otherwise}` is everything else. */
export const CLOUD: Rows = {
  "infrastructure-destroy": [
    ["terraform|tofu|terragrunt destroy|run-all|force-unlock|taint|untaint|stack", "terraform destroy", "terraform plan"],
    ["terraform|tofu|terragrunt apply|plan [-destroy --destroy]", "terraform apply -destroy", "terraform plan -out=p"],
    ["terraform|tofu|terragrunt state rm|push|replace-provider|mv", "terraform state rm a.b", "terraform state list"],
    ["terraform|tofu workspace delete", "terraform workspace delete x", "terraform workspace list"],
    ["pulumi destroy|cancel|refresh|import", "pulumi destroy", "pulumi preview"],
    ["pulumi stack|state|config rm|delete|unprotect|rename|set|import", "pulumi stack rm x", "pulumi stack ls"],
    ["cdk|cdktf|sst|serverless|sls|amplify|chalice|zappa|up|now destroy|remove|delete|undeploy|rollback|rm", "cdk destroy", "cdk diff"],
    [
      "sam|eksctl|kops|doctl|linode-cli|hcloud|scw|vultr|vultr-cli|openstack|ibmcloud|oci|aliyun|tccli|civo|exo|upctl|k0sctl|rancher|juju|pscale|neonctl|turso|upstash|ccloud|confluent|databricks|snow ** delete*|destroy*|rm|remove*|terminate*|purge*|kill*",
      "pscale database delete shop --force",
      "doctl compute droplet list",
    ],
    [
      "vagrant|multipass|virsh|lima|limactl|colima|vmrun|vboxmanage|prlctl|qm|pct|lxc|incus|virt-install destroy|delete|undefine|purge|factory-reset|unregistervm|reset|shutdown|stop|halt",
      "virsh undefine vm",
      "virsh list",
    ],
  ],
  "infrastructure-apply": [
    ["terraform|tofu|terragrunt apply|import|refresh|login|logout", "terraform apply -auto-approve", "terraform plan -out=plan"],
    ["pulumi up|update|watch ![--preview-only]", "pulumi up --yes", "pulumi preview"],
    ["cdk|cdktf|sst|copilot deploy|bootstrap|import|apply|svc|env|job|pipeline", "cdk deploy", "cdk synth"],
    [
      "ansible|ansible-playbook|ansible-console|salt|salt-ssh|salt-call|puppet|chef-client|knife|pyinfra|fab|nixos-rebuild|darwin-rebuild|home-manager|colmena|deploy-rs|pssh|parallel-ssh|pdsh|clush|dsh|cssh ![--check -C --syntax-check --list-hosts --list-tasks --version --help -h test=True]",
      "ansible-playbook -i prod site.yml",
      "ansible-playbook --check site.yml",
    ],
    ["cap|capistrano|mina ** deploy*|setup|*:restart", "cap production deploy", "cap sync"],
    [
      "kamal|mrsk|dokku|caprover|dokploy|coolify deploy|setup|remove|redeploy|rollback|app|apps:*|config:*|env",
      "kamal deploy",
      "kamal details",
    ],
  ],
  "cluster-delete": [
    [`kubectl|oc|k|kubecolor delete|drain|cordon|evict|taint ${DRY}`, "kubectl delete namespace production", "kubectl get pods"],
    [`kubectl|oc|k replace|apply [--force --prune] ${DRY}`, "kubectl apply --prune -f x.yaml", "kubectl diff -f x.yaml"],
    [`kubectl|oc|k scale [--replicas]=0 ${DRY}`, "kubectl scale deploy/x --replicas=0", "kubectl get deploy/x"],
    [`helm|helmfile uninstall|delete|del|un|rollback|destroy ${DRY}`, "helm uninstall web", "helm list"],
    ["kubeadm reset|join|init|upgrade", "kubeadm reset", "kubeadm version"],
    ["kind|minikube|k3d|k3sup|microk8s delete|reset", "minikube delete", "minikube status"],
    ["kind|k3d cluster|node delete|stop", "k3d cluster delete", "k3d cluster list"],
    [
      "nomad job|node|namespace|alloc|system|volume|acl|var stop|drain|eligibility|delete|gc|purge|detach|deregister|revert|scale|run|dispatch",
      "nomad job stop web",
      "nomad job status web",
    ],
    ["nomad|waypoint|boundary stop|run|deploy|up|destroy", "nomad stop web", "nomad status"],
    ["consul kv|acl|config|intention|peering delete|put|import|set|create|write", "consul kv delete -recurse x", "consul kv get x"],
    ["consul leave|force-leave|reload|maint", "consul leave", "consul members"],
    [
      "argocd|flux|kustomize|tkn|istioctl|linkerd|velero|kubeseal ** delete|sync|rollback|uninstall|suspend|set|restore|install|upgrade",
      "argocd app delete x",
      "argocd app list",
    ],
  ],
  "cluster-change": [
    ["docker|podman context use|rm|update|import", "docker context use prod", "docker context ls"],
    ["kubectx|kubens|kubie * {otherwise}", "kubectx prod", "kubectl config current-context"],
    [`kubectl|oc|k|kubecolor * {otherwise} ${DRY}`, "kubectl apply -f x.yaml", "kubectl apply --dry-run=client -f x.yaml"],
    [`helm|helmfile install|upgrade|sync|apply|test ${DRY}`, "helm upgrade web ./chart", "helm template ./chart"],
    [
      "docker|podman swarm|stack|service|node|secret|config leave|init|join|deploy|create|update|scale|rm|rollback|promote|demote",
      "docker stack deploy -c x.yml shop",
      "docker stack ls",
    ],
  ],
  "cloud-delete": [
    [
      `aws ** delete*|terminate*|remove*|deregister*|purge*|empty*|destroy*|schedule-key-deletion|disable*|revoke*|detach*|stop*|rb|rm ${DRY}`,
      "aws s3 rm s3://bucket --recursive",
      "aws s3 ls",
    ],
    [`aws s3 sync|mv [--delete] ${DRY}`, "aws s3 sync . s3://b --delete", "aws s3 sync s3://b ."],
    [
      "gcloud|az|ibmcloud|oci|aliyun ** delete|destroy|purge|terminate|remove|stop|disable|reset*|deallocate",
      "gcloud projects delete shop",
      "gcloud projects list",
    ],
    ["gsutil rm|rb|mv|iam|acl|rsync|setmeta|lifecycle|web|defacl", "gsutil rm -r gs://b", "gsutil ls"],
    ["azcopy remove|rm|sync", "azcopy remove x", "azcopy list x"],
    [`s3cmd|s4cmd|s5cmd|mc del|rm|rb|sync|mv|setacl|setpolicy|mirror|policy|anonymous ${DRY}`, "s3cmd del s3://b/x", "s3cmd ls"],
    [`rclone delete|deletefile|purge|sync|move|moveto|rmdir|rmdirs|cleanup|bisync|dedupe ${DRY_OR_N}`, "rclone purge x:y", "rclone ls x:y"],
    [
      "heroku ** apps:destroy|pg:reset|pg:copy|addons:destroy|releases:rollback|domains:clear|*:destroy|*:remove|*:delete|*:reset|*:rollback|destroy|rollback",
      "heroku pg:reset",
      "heroku pg:info",
    ],
    [
      "fly|flyctl|vercel|netlify|wrangler|firebase|railway|render|surge|supabase|planetscale|cf|tsuru|convox|amplify|appwrite|nhost ** remove|rm|delete*|destroy*|disable*|*:delete|*:remove|*:disable|unlink|rollback|teardown",
      "fly apps destroy shop",
      "fly status",
    ],
  ],
  "cloud-change": [
    [`aws|aws2|awslocal * {otherwise} ${DRY}`, "aws iam create-access-key --user-name x", "aws iam list-users"],
    ["gcloud|az|ibmcloud|oci|aliyun|doctl|linode-cli|hcloud|eksctl|scw * {otherwise}", "gcloud run deploy web", "gcloud run services list"],
    ["heroku|fly|flyctl|vercel|netlify|wrangler|firebase|railway|supabase * {otherwise}", "heroku config:set X=1", "heroku logs"],
    [
      "vault|op|doppler|infisical|chamber|sops|bws write|delete|put|kv|secrets|token|auth|policy|lease|operator|secret|destroy|patch|set|create|edit|revoke {otherwise}",
      "vault kv put secret/a x=1",
      "vault status",
    ],
    [
      "stripe|paypal|twilio|sentry-cli|datadog-ci|pagerduty|auth0|okta|launchdarkly|ldcli|contentful|shopify|square|plaid * {otherwise}",
      "stripe refunds create --charge x",
      "stripe customers list",
    ],
    ["rclone|azcopy|s3cmd|s5cmd|mc|gsutil copy|copyto|put|cp|sync|mirror|rcat ~to-remote", "rclone copy . x:y", "rclone copy x:y ."],
  ],
  deploy: [
    ["vercel|now deploy|promote|alias|--prod|redeploy", "vercel deploy", "vercel dev"],
    ["vercel|netlify|wrangler [--prod --production -p]", "vercel --prod", "vercel inspect x"],
    [
      "netlify|wrangler|firebase|fly|flyctl|railway|serverless|sls|sam|chalice|zappa|amplify|eb|gcloud|surge|gh-pages|shuttle|deployctl|partykit|modal|cap|ampx|sst deploy|up|publish|push|launch|*:deploy|release",
      "netlify deploy --prod",
      "netlify dev",
    ],
    ["eb|copilot|cf|tsuru|convox|dokku push|deploy|terminate|swap|scale|restage|delete", "eb deploy", "eb status"],
    ["railway up|redeploy|down", "railway up", "railway status"],
    ["gh-pages|surge|serve-deploy ![--help --version]", "gh-pages -d dist", "gh-pages --help"],
  ],
  "container-prune": [
    [
      "docker|podman|nerdctl system|volume|image|images|container|network|builder|buildx|pod|machine prune|rm|reset",
      "docker system prune -af --volumes",
      "docker system df",
    ],
  ],
  "container-remove": [
    ["docker|podman|nerdctl rm|rmi|kill [-f --force -v --volumes -a --all -s]", "docker rm -f web", "docker rm web"],
    ["docker|podman|nerdctl container|image rm|kill [-f --force -v]", "docker image rm -f x", "docker image ls"],
    ["docker|podman|nerdctl volume|secret|network|context|machine|pod rm|remove", "docker volume rm data", "docker volume ls"],
    ["docker|podman|nerdctl compose down|rm [-v --volumes --rmi -s --remove-orphans]", "docker compose down -v", "docker compose down"],
    ["docker-compose|podman-compose down|rm [-v --volumes --rmi -s]", "docker-compose down -v", "docker-compose down"],
    ["docker|podman|nerdctl rm|rmi|kill ~computed", "docker rm $(docker ps -aq)", "docker rm web"],
    ["lxc|incus|lxc-destroy|machinectl delete|remove|destroy|terminate|poweroff|kill", "lxc delete c1 -f", "lxc list"],
  ],
  "container-privileged": [
    ["docker|podman|nerdctl run|create|exec [--privileged]", "docker run --privileged alpine", "docker run --rm alpine ls"],
    [
      "docker|podman|nerdctl run|create [-v --volume --mount]=/:*|*source=/,*|*src=/,*|*docker.sock*|/etc*:*|/root*:*|/var/run*:*|~:*|$HOME:*|~/.*:*|*source=/etc*",
      "docker run -v /:/host alpine",
      "docker run -v ./src:/src alpine",
    ],
    [
      "docker|podman|nerdctl run|create [--pid --net --network --ipc --userns --uts]=host",
      "docker run --pid=host alpine",
      "docker run --net=dev alpine",
    ],
    [
      "docker|podman|nerdctl run|create [--cap-add --security-opt --device]=all|sys_admin|sys_ptrace|*unconfined*|*disable*|/dev/*",
      "docker run --cap-add=SYS_ADMIN alpine",
      "docker run --cap-add=NET_BIND_SERVICE alpine",
    ],
  ],
};
