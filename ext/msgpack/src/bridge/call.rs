//! Calls into user code, plain and protected.

use super::{names::Id, Val};
use rb_sys::VALUE;
use std::ffi::c_int;

/// A Ruby jump that was caught: exception, throw, break, thread kill. It must be resumed.
#[derive(Clone, Copy)]
#[must_use]
pub struct Jump(c_int);

impl Jump {
    /// Goes on with the jump. The frames above must own nothing.
    #[cold]
    pub fn resume(self) -> ! {
        // SAFETY: the state of a jump that `rb_protect` caught and nothing has cleared since.
        unsafe { rb_sys::rb_jump_tag(self.0) }
    }

    /// The exception, or nil for a jump of another kind: then Ruby keeps an object there that is none of Ruby's.
    pub fn exception(self) -> Val {
        // SAFETY: reads the thread's error info.
        let e = Val(unsafe { rb_sys::rb_errinfo() });
        if e.is_special() || !e.is_object() {
            return Val::NIL;
        }
        // SAFETY: a class of Ruby's core.
        let exception = Val(unsafe { rb_sys::rb_eException });
        if kind_of(e, exception) {
            e
        } else {
            Val::NIL
        }
    }

    /// Forgets the jump: the exception counts as rescued.
    pub fn forget(self) {
        // SAFETY: clears the thread's error info.
        unsafe { rb_sys::rb_set_errinfo(Val::NIL.0) }
    }
}

/// Runs `f`, which may jump, and catches the jump. `f` must own nothing. About 12 ns.
#[inline]
pub fn protect<F: FnMut() -> Val>(mut f: F) -> Result<Val, Jump> {
    unsafe extern "C" fn run<F: FnMut() -> Val>(f: VALUE) -> VALUE {
        // SAFETY: the address handed over below, used by no one else meanwhile.
        (unsafe { &mut *(f as *mut F) })().0
    }
    let mut state = 0;
    // SAFETY: `run` gets back the pointer that is handed over here.
    let v = unsafe { rb_sys::rb_protect(Some(run::<F>), &mut f as *mut F as VALUE, &mut state) };
    if state == 0 {
        Ok(Val(v))
    } else {
        Err(Jump(state))
    }
}

/// Calls a method, private ones included. Jumps.
#[inline]
pub fn send(recv: Val, method: Id, args: &[Val]) -> Val {
    // SAFETY: raises or returns; the arguments stay where the collector sees them.
    Val(unsafe { rb_sys::rb_funcallv(recv.0, method.0, args.len() as c_int, args.as_ptr() as *const VALUE) })
}

/// Calls a public method. Jumps.
pub fn send_public(recv: Val, method: Id, args: &[Val]) -> Val {
    // SAFETY: as above.
    Val(unsafe { rb_sys::rb_funcallv_public(recv.0, method.0, args.len() as c_int, args.as_ptr() as *const VALUE) })
}

/// Calls a Proc. Jumps.
#[inline]
pub fn call_proc(proc_: Val, args: &[Val]) -> Val {
    // SAFETY: `proc_` is a Proc; as above.
    Val(unsafe {
        rb_sys::rb_proc_call_with_block(proc_.0, args.len() as c_int, args.as_ptr() as *const VALUE, Val::NIL.0)
    })
}

/// `respond_to?`, `respond_to_missing?` included, private methods not. Jumps.
pub fn responds_to(v: Val, method: Id) -> bool {
    // SAFETY: raises or returns.
    unsafe { rb_sys::rb_respond_to(v.0, method.0) != 0 }
}

/// `v.kind_of?(module)`, by the class, not by the method. Never raises.
#[inline]
pub fn kind_of(v: Val, module: Val) -> bool {
    // SAFETY: `module` is a Class or Module.
    Val(unsafe { rb_sys::rb_obj_is_kind_of(v.0, module.0) }) == Val::TRUE
}

/// The class of an object, singleton classes left out. Never raises.
#[inline]
pub fn class_of(v: Val) -> Val {
    // SAFETY: a live value.
    Val(unsafe { rb_sys::rb_obj_class(v.0) })
}

/// Memory only.
pub fn new_exception(class: Val, message: Val) -> Val {
    // SAFETY: an exception class and a String.
    Val(unsafe { rb_sys::rb_exc_new_str(class.0, message.0) })
}

/// Whether the method was called with a block. Never raises.
pub fn block_given() -> bool {
    // SAFETY: reads the frame.
    unsafe { rb_sys::rb_block_given_p() != 0 }
}

/// Yields to the block of the method. Jumps.
pub fn yield_value(v: Val) -> Val {
    // SAFETY: raises or returns.
    Val(unsafe { rb_sys::rb_yield(v.0) })
}

/// An Enumerator over `recv.method(*args)`, of unknown size. Memory only.
pub fn enumerator(recv: Val, method: Id, args: &[Val]) -> Val {
    // SAFETY: copies the arguments.
    unsafe {
        Val(rb_sys::rb_enumeratorize_with_size(
            recv.0,
            rb_sys::rb_id2sym(method.0),
            args.len() as c_int,
            args.as_ptr() as *const VALUE,
            None,
        ))
    }
}

/// The id of a Symbol or String method name. Jumps for anything else.
pub fn id_of(name: Val) -> Id {
    // SAFETY: raises or returns.
    Id(unsafe { rb_sys::rb_to_id(name.0) })
}

/// The Symbol of a method name. Never raises.
pub fn symbol_of(id: Id) -> Val {
    // SAFETY: `id` came from `id_of`.
    Val(unsafe { rb_sys::rb_id2sym(id.0) })
}

/// Sets an instance variable; frozen objects refuse. Jumps.
pub fn set_ivar(obj: Val, name: Id, value: Val) {
    // SAFETY: raises or returns.
    unsafe { rb_sys::rb_ivar_set(obj.0, name.0, value.0) };
}

/// An instance of a Struct class with two members. Memory only.
pub fn new_pair(class: Val, first: Val, second: Val) -> Val {
    // SAFETY: a Struct class with two members.
    Val(unsafe { rb_sys::rb_struct_new(class.0, first.0, second.0) })
}

/// Member `i` of a Struct; IndexError from Ruby when it has none. Jumps.
pub fn struct_member(s: Val, i: i64) -> Val {
    // SAFETY: a Struct; raises or returns.
    Val(unsafe { rb_sys::rb_struct_aref(s.0, Val::small_int(i).0) })
}
