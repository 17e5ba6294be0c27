"""Measure restride beside other libraries, and beside a plain copy of the same bytes.

A *case* says in words of its own what is to be moved; a *contender* turns those words
into one library's call.  So every library moves the same elements of the same array,
its result is compared bit for bit before it is timed, and new libraries join without a
change here.

``limit``
    The fastest plain copy found, in the same process, of as many bytes as the case
    must touch: the cache lines of the source that it reads and the bytes it writes,
    halved, since a copy reads and writes each byte.
``peer``
    The fastest contender other than restride.
``vs``
    Time of the peer over restride's: above 1, restride is faster.
``of``
    The limit over restride's time: 1 means that no copy of those bytes is faster.

Nothing is imported here, so that `pinning` can be used before NumPy loads.
"""
