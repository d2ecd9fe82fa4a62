use super::*;

fn found(state: ContainerSummaryStateEnum, until: i64) -> ContainerSummary {
    ContainerSummary {
        state: Some(state),
        labels: Some(HashMap::from([(LABEL.to_owned(), until.to_string())])),
        ..ContainerSummary::default()
    }
}

#[test]
fn only_what_nobody_can_want_is_swept() {
    use ContainerSummaryStateEnum::{CREATED, DEAD, EXITED, RUNNING};
    let fresh = 1_000_000;
    let until = fresh + seconds(LIFETIME);
    let check = |state, now, expected| {
        assert_eq!(is_orphan(&found(state, until), now), expected, "{state:?}");
    };
    check(RUNNING, fresh + 3600, false);
    check(RUNNING, until + 1, true);
    // Another program may be about to start it.
    check(CREATED, fresh + 10, false);
    check(CREATED, fresh + 600, true);
    check(EXITED, fresh, true);
    check(DEAD, fresh, true);
}

#[test]
fn a_container_may_do_nothing_but_compute() {
    let made = Made {
        memory_mib: 256,
        disk_mib: 64,
        files: 1000,
        hosts: vec![Host {
            address: "0.0.0.0".to_owned(),
            name: "LAPTOP".to_owned(),
        }],
        gpus: Vec::new(),
    };
    let body = body(&made);
    assert_eq!(body.user.as_deref(), Some("65534:65534"));
    let config = body.host_config.unwrap();
    assert_eq!(config.network_mode.as_deref(), Some("none"));
    assert_eq!(config.readonly_rootfs, Some(true));
    assert_eq!(config.cap_drop, Some(vec!["ALL".to_owned()]));
    assert_eq!(config.cap_add, None);
    assert_eq!(config.binds, None);
    assert_eq!(config.memory, Some(256 << 20));
    assert_eq!(config.memory_swap, config.memory);
    assert_eq!(config.extra_hosts, Some(vec!["LAPTOP:0.0.0.0".to_owned()]));
    assert_eq!(config.device_requests, None);
}

#[test]
fn a_job_with_graphics_processors_asks_for_its_own() {
    let made = Made {
        memory_mib: 256,
        disk_mib: 64,
        files: 1000,
        hosts: Vec::new(),
        gpus: vec![1, 3],
    };
    let requests = host_config(&made).device_requests.unwrap();
    let ids = requests[0].device_ids.clone().unwrap();
    assert_eq!(ids, ["1", "3"]);
    assert_eq!(requests[0].capabilities, Some(vec![vec!["gpu".to_owned()]]));
}
