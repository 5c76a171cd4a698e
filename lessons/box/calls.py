"""The system calls that no solution needs, each with its numbers on x86_64 and on aarch64.

None says that the machine lacks the call. A number above `NEWEST` belongs to a call that was not
known when this table was written (or to the x32 variant of a call), so it is refused too.
"""

from __future__ import annotations

Calls = dict[str, tuple[int | None, int | None]]

NEWEST = 462
"""The largest number of a call that may be allowed: mseal's."""

# fmt: off
FORKING: Calls = {"fork": (57, None), "vfork": (58, None)}

ENDING: Calls = {  # these start another program, leave the process group or reach the network
    "execve": (59, 221), "execveat": (322, 281), "ptrace": (101, 117), "setpgid": (109, 154),
    "setsid": (112, 157), "socket": (41, 198),
}

SIGNALLING: Calls = {  # the first argument is the process, which must be the caller's own
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}

OTHER_PROCESSES: Calls = {  # these read, change or limit another process, or raise the own limits
    "get_robust_list": (274, 100), "ioprio_set": (251, 30), "kcmp": (312, 272),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119), "setpriority": (141, 140), "setrlimit": (160, 164),
}

FILES: Calls = {  # these change a file's owner, mode, times or attributes, or watch or lock it
    "chmod": (90, None), "chown": (92, None), "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "fchown": (93, 55), "fchownat": (260, 54), "flock": (73, 32), "fremovexattr": (199, 16),
    "fsetxattr": (190, 7), "futimesat": (261, None), "inotify_add_watch": (254, 27),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "lchown": (94, None),
    "lremovexattr": (198, 15), "lsetxattr": (189, 6), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "removexattr": (197, 14), "setxattr": (188, 5), "truncate": (76, 45), "utime": (132, None),
    "utimensat": (280, 88), "utimes": (235, None),
}

MOUNTS: Calls = {  # these change what the file system looks like
    "chroot": (161, 51), "fsconfig": (431, 431), "fsmount": (432, 432), "fsopen": (430, 430),
    "fspick": (433, 433), "mount": (165, 40), "mount_setattr": (442, 442),
    "move_mount": (429, 429), "open_tree": (428, 428), "pivot_root": (155, 41),
    "setns": (308, 268), "umount2": (166, 39), "unshare": (272, 97),
}

MESSAGES: Calls = {  # these make what outlives the process, or reach others without a file
    "add_key": (248, 217), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425), "keyctl": (250, 219), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "msgctl": (71, 187), "msgget": (68, 186), "msgrcv": (70, 188), "msgsnd": (69, 189),
    "request_key": (249, 218), "semctl": (66, 191), "semget": (64, 190), "semop": (65, 193),
    "semtimedop": (220, 192), "shmat": (30, 196), "shmctl": (31, 195), "shmget": (29, 194),
    "socketpair": (53, 199),
}

SYSTEM: Calls = {  # these change the machine, its kernel or its clock, or the caller's identity
    "acct": (163, 89), "adjtimex": (159, 171), "bpf": (321, 280), "capset": (126, 91),
    "clock_adjtime": (305, 266), "clock_settime": (227, 112), "delete_module": (176, 106),
    "finit_module": (313, 273), "init_module": (175, 105), "ioperm": (173, None),
    "iopl": (172, None), "kexec_file_load": (320, 294), "kexec_load": (246, 104),
    "lsm_set_self_attr": (460, 460), "reboot": (169, 142), "setdomainname": (171, 162),
    "setfsgid": (123, 152), "setfsuid": (122, 151), "setgid": (106, 144), "setgroups": (116, 159),
    "sethostname": (170, 161), "setregid": (114, 143), "setresgid": (119, 149),
    "setresuid": (117, 147), "setreuid": (113, 145), "settimeofday": (164, 170),
    "setuid": (105, 146), "swapoff": (168, 225), "swapon": (167, 224), "syslog": (103, 116),
    "userfaultfd": (323, 282), "vhangup": (153, 58),
}

CHECKED: Calls = {  # these are allowed or refused by their arguments
    "clone": (56, 220), "clone3": (435, 435), "fcntl": (72, 25), "ioctl": (16, 29),
    "prlimit64": (302, 261),
}
# fmt: on

REFUSED: Calls = {**OTHER_PROCESSES, **FILES, **MOUNTS, **MESSAGES, **SYSTEM}
