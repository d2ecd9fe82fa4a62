//! The system calls that a guest has to do without: those that make processes and namespaces, hold memory
//! that no limit counts, look into other processes, or belong to whoever runs the machine.
//!
//! A refused call fails as if the kernel did not have it (`ENOSYS`), so that libraries take their way
//! around it.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;
type Result<T> = std::result::Result<T, seccompiler::BackendError>;

/// Refused whatever they are asked.
const REFUSED: &[c_long] = &[
    // Processes: a thread is made with `clone`, which is looked at below.
    libc::SYS_clone3,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    // Memory beside the program's own.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Much of the kernel behind one call.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // The machine.
    libc::SYS_acct,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_load,
    libc::SYS_personality,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// The filter, as the kernel reads it.
pub(super) fn filter() -> Result<Vec<u8>> {
    let mut rules: Rules = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let (thread, both) = (libc::CLONE_THREAD, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // A process is made by a clone that is no thread.
    let is_process = condition(0, SeccompCmpOp::MaskedEq(wide(thread)), 0)?;
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![is_process])?]);
    // Memory that is shared is not counted as the program's.
    let is_shared = condition(3, SeccompCmpOp::MaskedEq(wide(both)), wide(both))?;
    rules.insert(libc::SYS_mmap, vec![SeccompRule::new(vec![is_shared])?]);
    // Of all kinds of sockets those that a namespace bounds, and that programs use.
    let kinds = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];
    let is_none: Result<Vec<_>> = kinds
        .into_iter()
        .map(|kind| condition(0, SeccompCmpOp::Ne, wide(kind)))
        .collect();
    let is_none = SeccompRule::new(is_none?)?;
    rules.insert(libc::SYS_socket, vec![is_none.clone()]);
    rules.insert(libc::SYS_socketpair, vec![is_none]);

    let refuse = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    let arch = std::env::consts::ARCH.try_into()?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?;
    let program: BpfProgram = filter.try_into()?;
    let all = OTHER_NUMBERS.into_iter().chain(program);
    Ok(all.flat_map(|it| bytes(&it)).collect())
}

/// Refuses calls by their x32 numbers, which the filter's own do not cover: 2^30 and above.
const OTHER_NUMBERS: [sock_filter; 3] = [
    instruction(0x20, 0, 0, 0),                    // load the call's number
    instruction(0x35, 0, 1, 0x4000_0000),          // where it is lower, go on behind the next
    instruction(0x06, 0, 0, 0x0005_0000 | 0x0026), // refuse it: ENOSYS
];

const fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

fn condition(arg: u8, op: SeccompCmpOp, value: u64) -> Result<SeccompCondition> {
    SeccompCondition::new(arg, SeccompCmpArgLen::Dword, op, value)
}

fn wide(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

fn bytes(it: &sock_filter) -> [u8; 8] {
    let (code, k) = (it.code.to_ne_bytes(), it.k.to_ne_bytes());
    [code[0], code[1], it.jt, it.jf, k[0], k[1], k[2], k[3]]
}
