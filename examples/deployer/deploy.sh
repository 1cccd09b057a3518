#!/bin/sh
# A deployer that destroys and recreates: it ends what runs now, sees that it is gone, and only then brings
# up the new version. It is told which by two variables, and its exit code says what came of it.
set -eu

new="${OPENSHIFT_DEPLOYMENT_NAME:?is missing: the deployment to carry out}"
namespace="${OPENSHIFT_DEPLOYMENT_NAMESPACE:?is missing: the namespace of the deployment}"
timeout="${TIMEOUT:-300s}"

say() { echo "$*"; }
fail() { echo "$*" >&2; exit 1; }
k() { kubectl --namespace "$namespace" "$@"; }

# 1. The record of the new deployment: whose it is, and how many pods it is to have.
config=$(k get rc "$new" -o 'jsonpath={.metadata.annotations.openshift\.io/deployment-config\.name}')
size=$(k get rc "$new" -o 'jsonpath={.metadata.annotations.kubectl\.kubernetes\.io/desired-replicas}')
[ -n "$config" ] && [ -n "$size" ] || fail "$new is not a deployment"
say "Deploying $new with $size pods"

# 2. The records of what is deployed now: other versions of the same config that have pods. A version's
#    ReplicationController is its record as well, so it is emptied and kept: a rollback needs it.
current=$(k get rc --selector "openshift.io/deployment-config.name=$config" -o 'jsonpath={range .items[?(@.spec.replicas>0)]}{.metadata.name}{" "}{.metadata.annotations.openshift\.io/deployment-config\.latest-version}{"\n"}{end}' |
  while read -r name version; do
    if [ -n "$version" ] && [ "$name" != "$new" ]; then echo "$name"; fi
  done)

# 3. End them.
for old in $current; do
  say "Scaling $old down"
  k scale rc "$old" --replicas=0
done

# 4. See that they are really gone, down to the last pod.
for old in $current; do
  k wait pod --selector "deployment=$old" --for=delete --timeout="$timeout" ||
    fail "pods of $old are still there after $timeout"
done

# 5. Bring up the new version.
say "Scaling $new up to $size"
k scale rc "$new" --replicas="$size"

# 6. See that its pods are really there, and well.
if [ "$size" -gt 0 ]; then
  k wait rc "$new" --for="jsonpath={.status.availableReplicas}=$size" --timeout="$timeout" ||
    fail "$new has not $size available pods after $timeout"
fi
say "Deployed $new"
