use super::*;

/// Hosts that were all found a moment ago.
fn found(configured: &[DockerHost]) -> Hosts {
    let hosts = Hosts::new(configured);
    for host in &hosts.all {
        let docker = connect(&host.config).unwrap();
        let found = Found {
            docker,
            python: "3.11.2".to_owned(),
            slots: host.config.slots.unwrap_or(1),
        };
        host.locked(|state| state.found = Some((Instant::now(), Ok(found))));
    }
    hosts
}

fn host(name: &str, slots: u32, gpus: u32, labels: &[&str]) -> DockerHost {
    DockerHost {
        slots: Some(slots),
        gpus,
        labels: labels.iter().map(|&label| label.to_owned()).collect(),
        ..DockerHost::at(&format!("tcp://{name}:2375"))
    }
}

fn name(lease: &Lease) -> &str {
    let address = lease.host.config.address.strip_prefix("tcp://").unwrap();
    address.split(':').next().unwrap()
}

#[tokio::test]
async fn the_host_with_the_least_to_do_takes_a_job() {
    let hosts = found(&[host("small", 1, 0, &[]), host("large", 4, 0, &[])]);
    let mut leases = Vec::new();
    for _ in 0..5 {
        leases.push(hosts.lease(None, 0).await.unwrap());
    }
    let names: Vec<&str> = leases.iter().map(name).collect();
    assert_eq!(names, ["small", "large", "large", "large", "large"]);
    // The next one waits for the first that ends.
    let next = hosts.lease(None, 0);
    tokio::pin!(next);
    assert!(futures_util::poll!(&mut next).is_pending());
    drop(leases.remove(2));
    assert_eq!(name(&next.await.unwrap()), "large");
}

#[tokio::test]
async fn every_job_has_graphics_processors_of_its_own() {
    let hosts = found(&[host("plain", 8, 0, &[]), host("gpu", 8, 3, &[])]);
    assert_eq!(hosts.gpus(), 3);
    let first = hosts.lease(None, 2).await.unwrap();
    let second = hosts.lease(None, 1).await.unwrap();
    assert_eq!((name(&first), &first.gpus[..]), ("gpu", &[0, 1][..]));
    assert_eq!((name(&second), &second.gpus[..]), ("gpu", &[2][..]));
    let third = hosts.lease(None, 1);
    tokio::pin!(third);
    assert!(futures_util::poll!(&mut third).is_pending());
    drop(first);
    assert_eq!(third.await.unwrap().gpus, [0]);
}

#[tokio::test]
async fn a_label_chooses_hosts() {
    let hosts = found(&[host("a", 1, 0, &["old"]), host("b", 1, 0, &["new", "big"])]);
    assert_eq!(name(&hosts.lease(Some("big"), 0).await.unwrap()), "b");
    let why = hosts.lease(Some("huge"), 0).await.err().unwrap();
    assert_eq!(
        why.to_string(),
        "no host has the label huge; the labels are: big, new, old"
    );
}
